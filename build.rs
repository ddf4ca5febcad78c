//! Builds again when a file joins or leaves the embedded benchmark: `include_dir!` alone sees
//! only changes of files that it knows.

fn main() {
    for folder in ["domain", "problems", "runs"] {
        println!("cargo:rerun-if-changed={folder}");
    }
}
