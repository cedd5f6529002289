"""The command line: it parses words and prints; each command's work lies in its own module, imported when needed."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence
from typing import Any

from conformance.console import EXIT_INTERRUPTED, EXIT_OK, EXIT_UNREACHABLE, EXIT_USAGE, Usage, complain

EPILOG = """targets: sacrebleu | sacrebleu@2.4.0 | all | package.module:object | path/to/adapter.py | 'cmd:./my-port --flag'
exit status: 0 as expected, 1 something unexpected, 2 bad usage or files, 3 a target could not be reached"""


def seconds(text: str) -> float:
    """A time limit: a finite number above zero."""
    value = float(text)
    if not 0 < value <= 86_400:
        raise argparse.ArgumentTypeError(f"expected seconds above 0 and up to 86400, found {text}")
    return value


def count(text: str) -> int:
    """A whole number above zero."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number above 0, found {text}")
    return value


def parser() -> argparse.ArgumentParser:
    """All commands and their options."""
    top = argparse.ArgumentParser(
        prog="conformance",
        allow_abbrev=False,
        description="Is this metric implementation right, and which variant is it?",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="store_true", help="print the suite's version and exit")
    commands = top.add_subparsers(dest="command", metavar="COMMAND")

    def command(name: str, text: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=text, description=text, allow_abbrev=False)

    def target_options(made: argparse.ArgumentParser) -> None:
        made.add_argument(
            "--metric",
            action="append",
            default=[],
            metavar="NAME",
            help="only this metric; for a bare function: which metric it is",
        )
        made.add_argument("--input", choices=("text", "tokens"), help="what a bare function takes")
        made.add_argument(
            "--timeout", type=seconds, default=10.0, metavar="SECONDS", help="time limit of one request (10)"
        )
        made.add_argument(
            "--isolate",
            action=argparse.BooleanOptionalAction,
            default=None,
            help="run the target in a process of its own, or not",
        )

    run = command("run", "Hold targets to the suite and report.")
    run.add_argument("targets", nargs="+", metavar="TARGET")
    target_options(run)
    run.add_argument("--select", action="append", default=[], metavar="GLOB", help="only checks whose id matches")
    run.add_argument(
        "--clause", action="append", default=[], metavar="GLOB", help="only checks of this clause (bleu.clipping)"
    )
    run.add_argument(
        "--profile",
        action="append",
        default=[],
        metavar="NAME|PARAM=VALUE",
        help="hold the target to this profile instead of its declared one",
    )
    run.add_argument(
        "--ledger", metavar="FILE", help="known deviations (default: the shipped one, or ./deviations.yaml)"
    )
    run.add_argument(
        "--cases", action="append", default=[], metavar="FILE", help="scenarios of your own instead of the suite's"
    )
    run.add_argument("--record", metavar="FILE", help="write the record, JSON Lines; - for standard output")
    run.add_argument("--junit", metavar="FILE", help="write JUnit XML")
    run.add_argument("--against", metavar="TARGET", help="hold the target to this one instead of to the definition")
    run.add_argument(
        "--properties",
        action="store_true",
        help="run the invariants of the specs on generated input instead of the scenarios",
    )
    run.add_argument("--examples", type=count, default=100, metavar="N", help="with --properties: examples a law (100)")
    run.add_argument("--seed", type=int, default=0, help="with --properties: the seed (0)")
    run.add_argument("--jobs", type=count, metavar="N", help="targets side by side (all: one a core, else 1)")
    run.add_argument("--format", choices=("terminal", "json", "junit"), default="terminal")

    check = command("check", "Tell an adapter's own faults from the implementation's.")
    check.add_argument("targets", nargs="+", metavar="TARGET")
    target_options(check)

    audit = command("audit", "Ask targets for empty and nearly empty input: a table a metric, a column a target.")
    audit.add_argument("targets", nargs="+", metavar="TARGET")
    target_options(audit)
    audit.add_argument("--format", choices=("terminal", "markdown", "json"), default="terminal")

    diff = command("diff", "Say what changed between the records of two runs: of two releases, or of two suites.")
    diff.add_argument("old", metavar="OLD", help="a record, as `run --record FILE` writes it")
    diff.add_argument("new", metavar="NEW", help="the later record")
    diff.add_argument("--format", choices=("terminal", "json"), default="terminal")

    score = command("score", "Ask the reference, or a target, for one input, and show how the value comes about.")
    score.add_argument("metric", metavar="METRIC")
    score.add_argument("-p", "--parameter", action="append", default=[], metavar="NAME=VALUE")
    score.add_argument(
        "--hyp", action="append", default=[], metavar="TEXT", help="a hypothesis; several are several segments"
    )
    score.add_argument(
        "--ref", action="append", default=[], metavar="TEXT", help="a reference; belongs to the --hyp before it"
    )
    score.add_argument("--text", metavar="TEXT", help="the text of a transform")
    score.add_argument(
        "--given",
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        help="another field of the metric's input, written as in a scenario: 'probabilities=[1/2, 1/4]'",
    )
    score.add_argument("--profile", metavar="NAME", help="a named profile of the metric")
    score.add_argument("--target", default="reference", metavar="TARGET")
    score.add_argument("--timeout", type=seconds, default=10.0, metavar="SECONDS", help="time limit (10)")
    score.add_argument("--format", choices=("terminal", "json"), default="terminal")

    listing = command("list", "List metrics, clauses, parameters, scenarios, checks or targets.")
    listing.add_argument(
        "what",
        choices=(
            "metrics",
            "clauses",
            "parameters",
            "conventions",
            "profiles",
            "invariants",
            "scenarios",
            "checks",
            "targets",
        ),
        nargs="?",
        default="metrics",
    )
    listing.add_argument("pattern", nargs="?", default="*", metavar="GLOB")

    show = command("show", "Show a scenario, or one check of it, with the derivation of its values.")
    show.add_argument("name", metavar="SCENARIO|CHECK")
    show.add_argument("--cases", action="append", default=[], metavar="FILE", help="look among scenarios of your own")

    lint = command("lint", "Check the suite's own files: schemas, characters, stable ids, names.")
    lint.add_argument(
        "--write", action="store_true", help="record new checks in cases.lock and mark missing ones as retired"
    )
    lint.add_argument(
        "--witnesses", action="store_true", help="ask the real systems again for the values that they are witnesses of"
    )
    lint.add_argument("files", nargs="*", metavar="FILE", help="scenario files of your own to check instead")

    schema = command("schema", "Print a JSON Schema.")
    schema.add_argument(
        "name", choices=("spec", "cases", "ledger", "protocol", "record", "implementations", "diff", "audit")
    )

    serve = command("serve", "Speak the JSON Lines protocol for a Python target on standard input and output.")
    serve.add_argument("target", metavar="TARGET")
    serve.add_argument("--metric", metavar="NAME")
    serve.add_argument("--input", choices=("text", "tokens"))

    accept = command("accept", "Write a target's new deviations into a ledger, with a reason.")
    accept.add_argument("targets", nargs=1, metavar="TARGET")
    target_options(accept)
    accept.add_argument("--reason", required=True, metavar="TEXT", help="a sentence: why they are as they are")
    accept.add_argument(
        "--kind",
        choices=("bug", "choice", "limit"),
        default="choice",
        help="bug: to be mended; limit: cannot be (choice)",
    )
    accept.add_argument("--issue", metavar="URL", help="where the bug is reported")
    accept.add_argument("--select", action="append", default=[], metavar="GLOB", help="only these checks")
    accept.add_argument("--clause", action="append", default=[], metavar="GLOB", help="only checks of these clauses")
    accept.add_argument(
        "--profile", action="append", default=[], metavar="NAME|PARAM=VALUE", help="what the target does, as in `run`"
    )
    accept.add_argument("--ledger", metavar="FILE", help="the file to write (default: the target's own)")
    accept.add_argument("--cases", action="append", default=[], metavar="FILE", help="also scenarios of your own")

    new = command("new", "Write a working file to fill in.")
    new.add_argument("kind", choices=("adapter",))
    new.add_argument("name", metavar="NAME")
    return top


def _stopped(number: int, frame: object) -> None:
    """Being ended by another program is like being interrupted by a person: what there is is kept."""
    raise KeyboardInterrupt


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status. Every fault of a person's is one line on standard error."""
    options = parser().parse_args(arguments)
    if options.version:
        import conformance

        print(conformance.__version__)
        return EXIT_OK
    if options.command is None:
        parser().print_help()
        return EXIT_USAGE
    if options.command == "serve":
        from conformance.serve import serve_target
        from conformance.target import load_adapter

        return serve_target(lambda: load_adapter(options.target, options.metric, options.input))
    from conformance import commands
    from conformance.transport import TargetError
    from conformance.yamlfile import BadFile

    try:
        for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
            signal.signal(number, _stopped)
        handler: Any = getattr(commands, f"{options.command}_command")
        status: int = handler(options)
        return status
    except (BadFile, Usage) as error:
        complain(error)
        return EXIT_USAGE
    except TargetError as error:
        complain(error)
        return EXIT_UNREACHABLE
    except OSError as error:
        complain(error.strerror or error)
        return EXIT_USAGE
    except MemoryError:
        complain("there is not enough memory for this")
        return EXIT_USAGE
    except KeyboardInterrupt:
        complain("interrupted")
        return EXIT_INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
