"""What each command does: it gathers, calls the module whose work it is, and prints."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path

from conformance.console import EXIT_INTERRUPTED, EXIT_OK, EXIT_UNEXPECTED, EXIT_UNREACHABLE, Usage, complain, out
from conformance.model import Suite
from conformance.suite import home, load


def list_command(options: Namespace) -> int:
    from conformance.explore import listing

    lines = list(listing(load(), options.what, options.pattern, home()))
    out(*lines)
    if not lines:
        raise Usage(f"no {options.what} match {options.pattern!r}")
    return EXIT_OK


def show_command(options: Namespace) -> int:
    from conformance.explore import scenario_lines
    from conformance.suite import with_cases
    from conformance.target import load_shipped

    try:
        out(*scenario_lines(with_cases(load(), options.cases), options.name, load_shipped("reference")))
    except ValueError as error:
        raise Usage(str(error)) from error
    return EXIT_OK


def schema_command(options: Namespace) -> int:
    from conformance.yamlfile import schema

    out(json.dumps(schema(options.name), indent=2))
    return EXIT_OK


def lint_command(options: Namespace) -> int:
    from conformance import lock
    from conformance.lint import lint
    from conformance.suite import compile_suite

    root = home()
    if options.files:
        return _lint_files(options.files)
    if not (root / "cases").is_dir():
        raise Usage("the installed package ships the suite compiled; name the scenario files to lint")
    suite = compile_suite(root)
    path = root / "cases" / "cases.lock"
    if options.write:
        lock.write(path, suite, lock.read(path))
    report = lint(root, suite)
    out(*report.problems)
    problems = len(report.problems)
    if options.witnesses:
        problems += _hear_witnesses(suite)
    out(
        f"{report.scenarios} scenarios, {report.checks} checks; {report.witnessed} values have two witnesses, "
        f"{report.single} the reference alone; {problems} problems"
    )
    return EXIT_UNEXPECTED if problems else EXIT_OK


def _hear_witnesses(suite: Suite) -> int:
    """Ask every real system again for the values that it is a witness of; returns how many it does not give."""
    from conformance.profiles import Oracle
    from conformance.target import load_shipped
    from conformance.transport import TargetError
    from conformance.witness import hear, reach, systems

    oracle = Oracle(load_shipped("reference"), suite.metrics)
    problems = 0
    for system in sorted(systems(suite.checks)):
        try:
            with reach(system) as connection:
                found = list(hear(suite, connection, oracle, system))
        except TargetError as error:
            out(f"{system}: not heard: {error}")
            continue
        wrong = [each for each in found if each.problem]
        problems += len(wrong)
        out(*(f"{each.check}: witness {system}: {each.problem}" for each in wrong))
        out(f"{system}: {len(found) - len(wrong)} of {len(found)} values given again")
    return problems


def _lint_files(files: list[str]) -> int:
    """Scenario files of a person's own, against the shipped specs."""
    from conformance.suite import with_cases

    own = with_cases(load(), files)
    out(f"{len(own.scenarios)} scenarios, {len(own.checks)} checks; 0 problems")
    return EXIT_OK


def score_command(options: Namespace) -> int:
    from conformance.score import score

    return score(options, load())


def run_command(options: Namespace) -> int:
    from conformance.runs import run_targets
    from conformance.suite import with_cases

    return run_targets(options, with_cases(load(), options.cases))


def check_command(options: Namespace) -> int:
    from conformance.selfcheck import check_targets

    return check_targets(options, load())


def audit_command(options: Namespace) -> int:
    from conformance import roster
    from conformance.audit import audit_suite, audited, cells
    from conformance.names import unknown_metric
    from conformance.profiles import Oracle, declared_truly
    from conformance.report import audit as report
    from conformance.target import connect, load_shipped
    from conformance.transport import TargetError

    suite, status = load(), EXIT_OK
    for name in options.metric:
        if name not in suite.metrics:
            raise Usage(unknown_metric(name, suite.metrics))
    metrics = list(dict.fromkeys(options.metric)) or list(suite.metrics)
    asked, oracle = audit_suite(suite, metrics), Oracle(load_shipped("reference"), suite.metrics)
    metric, found = metrics[0] if len(metrics) == 1 else None, {}
    for target in roster.chosen(options.targets, options.metric, recordings=False):
        try:
            with connect(
                target, metric=metric, input=options.input, timeout=options.timeout, isolate=options.isolate
            ) as connection:
                declared_truly(target, connection.capabilities, suite.metrics)
                found[target] = dict(cells(connection, oracle, asked))
        except TargetError as error:
            complain(error)
            status = EXIT_UNREACHABLE
        except KeyboardInterrupt:
            complain(f"interrupted at {target}")
            status = EXIT_INTERRUPTED
            break
    tables = audited(found, suite, metrics)
    for target, column in found.items() if options.metric and tables else ():
        absent = sorted(set(metrics) - {each.metric for each in tables if target in each.columns})
        if absent:
            known = any(key.partition("/")[0] in absent for key in column)
            complain(f"{target}: {'it cannot be asked' if known else 'it has no'} {', '.join(absent)}")
    if not tables and status == EXIT_OK:
        raise Usage(f"none of the targets can be asked {', '.join(options.metric)}")
    if options.format == "json":
        out(json.dumps(report.document(tables), ensure_ascii=True, allow_nan=False, indent=1))
    elif tables:
        out(report.markdown(tables) if options.format == "markdown" else report.terminal(tables))
    return status


def diff_command(options: Namespace) -> int:
    from conformance.difference import diff

    text, status = diff(options.old, options.new, options.format)
    out(text)
    return status


def accept_command(options: Namespace) -> int:
    from conformance.session import accept_target
    from conformance.suite import with_cases

    return accept_target(options, with_cases(load(), options.cases))


def new_command(options: Namespace) -> int:
    from conformance.scaffold import new_adapter

    out(*new_adapter(options.name, Path.cwd()))
    return EXIT_OK
