//! The Markdown pages for users: their list, their links, their words.

use std::fs;
use std::path::Path;

use crate::programs::workspace;

/// The pages at the top and in `docs`, by their paths in the workspace, in alphabetical order.
pub fn pages() -> Vec<String> {
    let mut found = Vec::new();
    for folder in ["", "docs", "docs/design", "docs/elimination", "docs/evidence", "docs/gallery"] {
        let entries = fs::read_dir(workspace().join(folder)).into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let names = names.filter(|name| name.ends_with(".md"));
        found.extend(names.map(
            |name| {
                if folder.is_empty() { name } else { format!("{folder}/{name}") }
            },
        ));
    }
    found.sort();
    found
}

/// The text of a page without blocks of code.
pub fn prose(page: &str) -> String {
    let mut inside = false;
    let mut text = String::new();
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        } else if !inside {
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}

/// The targets of the links of a page.
pub fn links(page: &str) -> Vec<String> {
    let text = prose(page);
    let behind = text.split("](").skip(1);
    behind.filter_map(|rest| rest.split(')').next()).map(str::to_owned).collect()
}

/// The names by which links reach the headings of a page, as mdBook and GitHub make them.
pub fn anchors(page: &str) -> Vec<String> {
    let text = prose(page);
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings.map(|line| anchor(line.trim_start_matches('#').trim())).collect()
}

fn anchor(heading: &str) -> String {
    heading
        .to_lowercase()
        .chars()
        .filter_map(|c| match c {
            ' ' => Some('-'),
            c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
            _ => None,
        })
        .collect()
}

/// A link of `page` that leads nowhere, if there is one.
pub fn broken(page: &str, text: &str) -> Option<String> {
    let path = workspace().join(page);
    links(text)
        .into_iter()
        .find(|link| !link.starts_with("https:") && !leads_somewhere(&path, text, link))
}

fn leads_somewhere(path: &Path, text: &str, link: &str) -> bool {
    let (file, heading) = link.split_once('#').unwrap_or((link, ""));
    let target = path.with_file_name(file);
    if heading.is_empty() {
        return target.exists();
    }
    let there = if file.is_empty() { Ok(text.to_owned()) } else { fs::read_to_string(target) };
    there.is_ok_and(|there| anchors(&there).iter().any(|anchor| anchor == heading))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_reached_by_their_words() {
        let page = "# One\n```sh\n# no\n```\n## How `x` is *read*, twice\n[a](#one) [b](c.md#d)\n";
        assert_eq!(anchors(page), ["one", "how-x-is-read-twice"]);
        assert_eq!(links(page), ["#one", "c.md#d"]);
        assert_eq!(broken("README.md", page), Some("c.md#d".to_owned()));
    }
}
