#!/usr/bin/env python3
"""Looks at a report in a real browser (headless Chromium): scripts/report_page.py BINARY [--shot FILE WIDTH HEIGHT [dark]]

Fails unless the page of the benchmark's runs, and a page of runs whose names are hostile, stand in the browser as they
should: headings, pictures with a size, links that lead somewhere and open what they lead to, nothing that runs
or is fetched, nothing wider than the window at 1280 and at 420 pixels, in light and in dark.
"""

import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# Runs in the page around the report: the report itself runs nothing, and its policy would forbid it.
LOOK = """
const found = {};
window.onerror = message => { found.error = String(message) };
function look(name) {
  const page = document.getElementById(name).contentDocument, root = page.documentElement;
  const all = selector => [...page.querySelectorAll(selector)];
  const size = element => { const box = element.getBoundingClientRect(); return [box.width, box.height] };
  const scrolls = element => { for (; element; element = element.parentElement) if (element.classList.contains('scroll')) return true; return false };
  const shown = element => element.checkVisibility();
  const wide = all('body *').filter(e => shown(e) && !scrolls(e) && e.getBoundingClientRect().right > root.clientWidth + 1);
  all('details').forEach(e => { e.open = true });
  const wideOpen = all('body *').filter(e => shown(e) && !scrolls(e) && e.getBoundingClientRect().right > root.clientWidth + 1);
  const text = e => e.outerHTML.slice(0, 120);
  const luminance = colour => { const c = colour.match(/[\\d.]+/g).slice(0, 3).map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2] };
  const style = getComputedStyle(page.body), [a, b] = [luminance(style.color), luminance(style.backgroundColor)];
  found[name] = {
    title: page.title,
    policy: page.querySelector('meta[http-equiv=Content-Security-Policy]')?.content,
    headings: all('h2').map(e => e.textContent),
    charts: all('svg.chart').map(e => [...size(e), e.querySelectorAll('path, rect, text').length]),
    shares: all('svg.share').filter(e => shown(e) && size(e)[0] < 10).length,
    untitled: all('svg[role=img]').filter(e => !e.querySelector('title')?.textContent.trim()).length,
    headless: all('table').filter(e => !e.querySelector('caption') || !e.querySelector('th[scope=col]') || !e.querySelector('th[scope=row]')).length,
    active: all('script, iframe, object, embed, link, img, base, form, input, a[target]').map(text),
    handlers: all('*').filter(e => [...e.attributes].some(a => /^on/i.test(a.name) || /^\\s*(javascript|data|https?):/i.test(a.value))).map(text),
    dead: all('a').filter(e => !e.hash || !page.getElementById(e.hash.slice(1))).map(text),
    links: all('table.heat a').length,
    stories: all('details.story').length,
    steps: all('.steps .row').length,
    overflow: Math.max(root.scrollWidth, page.body.scrollWidth) - root.clientWidth,
    wide: [...wide, ...wideOpen].slice(0, 3).map(text),
    contrast: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05),
    light: b,
    text: page.body.innerText,
  };
}
addEventListener('load', () => {
  for (const frame of document.querySelectorAll('iframe')) look(frame.id);
  document.getElementById('found').textContent = JSON.stringify(found);
});
"""

WIDTHS = (1280, 420)
HEADINGS = [
    "What they show",
    "Tables",
    "Solved against the width of the tool set",
    "Over-reach and under-reach by role and gate",
    "Entries and roles",
    "Worst runs",
]
SECRET = "</script><script>document.title='broken'</script><img src=x onerror=alert(1)>\" onclick='x' ]]> \u202eevil\u2069 \x1b[31m"


def chromium(folder, url, *options):
    """The DOM after everything has happened, and what the browser says."""
    browser = shutil.which("chromium") or shutil.which("google-chrome") or sys.exit("there is no chromium")
    quiet = ["--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", *quiet, f"--user-data-dir={folder}/profile", *options, url]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout, done.stderr


def look(page, dark):
    """What the page is like at each width."""
    frames = "".join(
        f'<iframe id="at{width}" style="width:{width}px;height:900px;border:0" srcdoc="{html.escape(page)}"></iframe>'
        for width in WIDTHS
    )
    around = f'<!doctype html><meta charset=utf-8><pre id="found"></pre>{frames}<script>{LOOK}</script>'
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        file = pathlib.Path(folder, "around.html")
        file.write_text(around, encoding="utf-8")
        options = ["--dump-dom", "--window-size=1400,1000", "--virtual-time-budget=10000", "--enable-logging=stderr"]
        options += [f"--blink-settings=preferredColorScheme={0 if dark else 1}"]
        dom, said = chromium(folder, file.as_uri(), *options)
    found = json.loads(html.unescape(re.search(r'<pre id="found">(.*?)</pre>', dom, re.S).group(1)) or "{}")
    console = [line for line in said.splitlines() if "CONSOLE" in line]
    return found, console


def opens(page):
    """Whether a link into a folded run opens it: the address names a run, the page is dumped as it then stands."""
    number = re.search(r'href="#(run-\d+)"', page).group(1)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        file = pathlib.Path(folder, "page.html")
        file.write_text(page, encoding="utf-8")
        dom, _ = chromium(folder, f"{file.as_uri()}#{number}", "--dump-dom", "--virtual-time-budget=5000")
    before = dom.partition(f' id="{number}"')[0]
    return before != dom and re.match(r'<details class="story" open(="")?>', before[before.rindex("<details") :]) is not None


def report(binary, *arguments):
    done = subprocess.run([binary, "report", *arguments], capture_output=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr.decode())
    return done.stdout.decode()


def hostile(binary):
    """The page of a run in which everything that an agent can write is hostile."""
    with tempfile.TemporaryDirectory() as folder:
        header = {"type": "run", "version": 1, "id": SECRET, "domain": "industrial-maintenance", "problem": "im-001", "role": "operator", "agent": {"name": SECRET}}
        events = [
            header,
            {"type": "message", "from": SECRET, "text": SECRET, "reasoning": True},
            {"type": "call", "id": SECRET, "tool": SECRET, "args": {SECRET: SECRET}},
            {"type": "result", "call": SECRET, "fired": True, "observation": SECRET, "added": [SECRET], "removed": [], "produced": []},
            {"type": "end", "reason": SECRET},
        ]
        log = pathlib.Path(folder, "run.jsonl")
        log.write_text("".join(json.dumps(event) + "\n" for event in events))
        return report(binary, str(log))


def wrong(name, page, dark):
    """What is wrong with a page, as sentences."""
    found, console = look(page, dark)
    if console:
        yield f"{name}: the console says {console[:3]}"
    for width in WIDTHS:
        here = f"{name}, {width} pixels{', dark' if dark else ''}"
        seen = found.get(f"at{width}")
        if not seen:
            yield f"{here}: nothing was found: {found}"
            continue
        if not seen["title"].startswith("ReFract report"):
            yield f"{here}: the title is {seen['title']}"
        if not (seen["policy"] or "").startswith("default-src 'none'"):
            yield f"{here}: the policy is {seen['policy']}"
        for heading in HEADINGS:
            if heading not in seen["headings"]:
                yield f"{here}: there is no heading '{heading}'"
        if len(seen["charts"]) < 2 or any(w < 200 or h < 40 or parts < 4 for w, h, parts in seen["charts"]):
            yield f"{here}: pictures without a size or a content: {seen['charts']}"
        for key in ("shares", "untitled", "headless", "active", "handlers", "dead", "wide"):
            if seen[key]:
                yield f"{here}: {key}: {seen[key]}"
        if seen["overflow"] > 0:
            yield f"{here}: {seen['overflow']} pixels wider than the window"
        if not seen["links"] or not seen["stories"] or not seen["steps"]:
            yield f"{here}: {seen['links']} links, {seen['stories']} runs, {seen['steps']} steps"
        if seen["contrast"] < 7 or (seen["light"] > 0.5) == dark:
            yield f"{here}: contrast {seen['contrast']:.1f}, background {seen['light']:.2f}"
        if any(ord(c) < 32 and c not in "\n\t" or c in "\u202e\u2069" for c in seen["text"]):
            yield f"{here}: a character that acts"


def broken(page):
    """The page with a fault of each kind that is looked for."""
    page = page.replace("default-src 'none'; style-src 'unsafe-inline'", "style-src 'unsafe-inline'")
    page = page.replace("<h2>Worst runs</h2>", "<h2>Runs</h2>").replace('viewBox="0 0 560', 'style="height:1px" viewBox="0 0 560')
    page = page.replace("<caption>", "<p>").replace('scope="col"', "")
    page = page.replace('id="run-', 'id="no-run-').replace("</header>", '</header><p style="width:2000px" onclick="x()">\x07wide</p>')
    return page.replace("</main>", "<script>x()</script></main>").replace("--fg: #1b1f24", "--fg: #ddd")


# A part of a sentence for each of them.
SEEN = ["policy is", "no heading 'Worst runs'", "pictures without", "headless:", "dead:", "active:", "handlers:", "wide:", "pixels wider", "contrast", "that acts"]


def shot(page, file, width, height, dark):
    """A picture of the page."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        inner = pathlib.Path(folder, "page.html")
        around = f'<!doctype html><meta charset=utf-8><style>body{{margin:0}}iframe{{border:0;width:{width}px;height:{height}px}}</style><iframe srcdoc="{html.escape(page)}"></iframe>'
        inner.write_text(around, encoding="utf-8")
        options = [f"--screenshot={os.path.abspath(file)}", f"--window-size={width},{height}", "--hide-scrollbars"]
        options += [f"--blink-settings=preferredColorScheme={0 if dark else 1}"]
        chromium(folder, inner.as_uri(), *options)


def main():
    binary, *rest = sys.argv[1:] or sys.exit(__doc__)
    page = report(binary)
    if rest[:1] == ["--shot"]:
        shot(page, rest[1], int(rest[2]), int(rest[3]), "dark" in rest[4:])
        return
    faults = []
    for name, page in (("report", page), ("hostile report", hostile(binary))):
        for dark in (False, True):
            faults += wrong(name, page, dark)
        if not opens(page):
            faults.append(f"{name}: a link does not open the run that it leads to")
    noticed = "\n".join(wrong("broken page", broken(report(binary)), False))
    faults += [f"a fault is not noticed: '{part}'" for part in SEEN if part not in noticed]
    if opens(broken(report(binary))):
        faults.append("a link that opens nothing is not noticed")
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
