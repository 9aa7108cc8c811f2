"""The application that all commands belong to."""

import typer

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # rich would take longer to say what there is than most commands take to do it
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="From measured energy to the cost of a token and a verdict per client.",
)
