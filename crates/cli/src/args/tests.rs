//! Every command and argument is explained, fits the page, and can be asked for JSON.

use clap::{Arg, Command, CommandFactory, Parser};

use super::Args;

/// Calls `look` with every command that people see, and how it is called.
fn each(look: &mut dyn FnMut(&str, &mut Command)) {
    let mut root = Args::command();
    root.build();
    let mut open = vec![("lookfar".to_owned(), root)];
    while let Some((name, mut command)) = open.pop() {
        look(&name, &mut command);
        for child in command.get_subcommands() {
            if !child.is_hide_set() && child.get_name() != "help" {
                open.push((format!("{name} {}", child.get_name()), child.clone()));
            }
        }
    }
}

fn is_leaf(command: &Command) -> bool {
    command.get_subcommands().next().is_none()
}

#[test]
fn the_command_line_is_well_formed() {
    Args::command().debug_assert();
}

#[test]
fn words_of_a_query_need_no_quotes() {
    let called = ["lookfar", "search", "jaguar", "new", "-k", "3", "\"big cat\""];
    let args = Args::try_parse_from(called).unwrap();
    let super::Command::Search(args) = args.command else { panic!("another command") };
    assert_eq!(
        (args.query, args.k),
        (["jaguar", "new", "\"big cat\""].map(str::to_owned).to_vec(), 3)
    );
    assert!(Args::try_parse_from(["lookfar", "search"]).is_err());
}

#[test]
fn every_command_and_argument_has_a_help_text() {
    let mut num_arguments = 0;
    each(&mut |name, command| {
        assert!(command.get_about().is_some(), "`{name}` says nothing of itself");
        for argument in command.get_arguments() {
            let said = argument.get_help().map(ToString::to_string).unwrap_or_default();
            assert!(!said.is_empty(), "`{}` of `{name}` has no help text", argument.get_id());
            num_arguments += 1;
        }
    });
    assert!(num_arguments > 200, "only {num_arguments} arguments were looked at");
}

#[test]
fn every_help_text_fits_a_hundred_columns() {
    let mut num_lines = 0;
    each(&mut |name, command| {
        for help in [command.render_help(), command.render_long_help()] {
            for line in help.to_string().lines() {
                assert!(line.chars().count() <= 100, "`{name} --help` has a long line: {line}");
                num_lines += 1;
            }
        }
    });
    assert!(num_lines > 1_000, "only {num_lines} lines were looked at");
}

#[test]
fn every_command_with_an_answer_can_give_it_as_json() {
    // What they write is a format of its own, and JSON lines are one of those of `export`.
    const FORMATS: &[&str] = &["lookfar export", "lookfar completions", "lookfar man"];
    each(&mut |name, command| {
        let has_json = command.get_arguments().any(|argument| argument.get_long() == Some("json"));
        let is_owed = is_leaf(command) && !FORMATS.contains(&name);
        assert_eq!(has_json, is_owed, "`{name}`");
    });
}

#[test]
fn placeholders_in_help_are_in_capitals() {
    each(&mut |name, command| {
        let takes = |argument: &&Arg| argument.get_action().takes_values();
        for argument in command.get_arguments().filter(takes) {
            for value in argument.get_value_names().unwrap_or_default() {
                assert_eq!(value.to_uppercase(), value.as_str(), "of `{name}`");
            }
        }
    });
}
