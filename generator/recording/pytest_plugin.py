"""The pytest plug-in: with `--runcite DIR` a marked test is a case, and its repetitions are runs of a batch.

A failing assertion is an outcome of the run, not an error of the session: the session fails where the verdict over all
runs of a case is `fail`. An exception that is no assertion says nothing of the agent, and is an error of the test.
"""

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import pytest

from generator.recording.marks import MARK, REPEAT, read_mark

if TYPE_CHECKING:
    from generator.recording.notes import RunNotes
    from generator.recording.pytest_session import RecordedSession

SESSION: "pytest.StashKey[RecordedSession]" = pytest.StashKey()
MISSED = "runcite_missed"
"""An attribute of a report: the run did not pass; case, variant and what the assertion said."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("runcite", "repeated runs with verdicts (runcite)")
    group.addoption("--runcite", metavar="DIR", help="Record marked tests as a batch of the source in DIR.")
    group.addoption("--runcite-batch", metavar="ID", help="Id of the batch; without it, experiment and time.")
    group.addoption("--runcite-experiment", metavar="ID", help="Id of the experiment (tests).")
    group.addoption("--runcite-variant", metavar="NAME", help="The variant of tests that name none (current).")
    group.addoption("--runcite-synthetic", action="store_true", help="No real agent runs; pages say so.")
    group.addoption("--runcite-strict", action="store_true", help="An inconclusive verdict fails the session as well.")
    parser.addini("runcite_experiment", "Id of the experiment.", default="tests")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "runcite(runs, threshold, alpha, beta, delta, case, category, title, variant, failures): "
        "a case that is run several times with --runcite DIR",
    )
    worker = getattr(config, "workerinput", None)
    aim = config.getoption("--runcite") if worker is None else worker.get("runcite")
    if not aim or config.option.collectonly:
        return
    from generator.recording.pytest_session import RecordedSession

    session = RecordedSession(config, worker)
    config.stash[SESSION] = session
    session.open()


class Hooks:
    """What a `conftest.py` may say."""

    @pytest.hookspec(firstresult=True)
    def pytest_runcite_config(self, config: pytest.Config, variant: str) -> dict[str, object] | None:
        """The configuration of the agent under a variant, without secrets: it is read by everybody."""


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    pluginmanager.add_hookspecs(Hooks)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tells a worker of pytest-xdist what is recorded."""
    session = node.config.stash.get(SESSION, None)
    if session is not None:
        node.workerinput["runcite"] = session.for_worker()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    marker = metafunc.definition.get_closest_marker(MARK)
    if marker is None:
        return
    mark = read_mark(marker)
    if SESSION in metafunc.config.stash:
        if REPEAT not in metafunc.fixturenames:
            metafunc.fixturenames.append(REPEAT)
        metafunc.parametrize(REPEAT, range(mark.runs), ids=[f"run{number}" for number in range(mark.runs)])


@pytest.fixture
def runcite_run(request: pytest.FixtureRequest) -> "RunNotes":
    """What the test notes of its run; noted for nobody where nothing is recorded."""
    session = request.config.stash.get(SESSION, None)
    if session is not None and (notes := session.notes_of(request.node)) is not None:
        return notes
    from generator.recording.notes import RunNotes

    return RunNotes()


@pytest.fixture
def runcite_repeat() -> int:
    """Which repeat of the test this is, from 0; always 0 where nothing is recorded."""
    return 0


def pytest_collection_finish(session: pytest.Session) -> None:
    recorded = session.config.stash.get(SESSION, None)
    if recorded is not None:
        recorded.plan(session.items)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    session = item.config.stash.get(SESSION, None)
    if session is None or not session.begin(item):
        return (yield)
    try:
        return (yield)
    except BaseException:
        session.interrupt(item)
        raise
    finally:
        session.end(item)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    session = item.config.stash.get(SESSION, None)
    if session is not None and session.note_phase(item, call) and report.when == "call":
        said = "" if call.excinfo is None else call.excinfo.exconly(tryshort=True)
        setattr(report, MISSED, [*(session.case_of(item) or ("", "")), said])
        report.outcome = "passed"
        report.longrepr = None
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, tuple[str, dict[str, bool]]] | None:
    if getattr(report, MISSED, None) is not None:
        return "missed", "m", ("MISSED", {"yellow": True})
    return None


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    recorded = session.config.stash.get(SESSION, None)
    if recorded is not None and recorded.close() and session.exitstatus in (0, pytest.ExitCode.NO_TESTS_COLLECTED):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_unconfigure(config: pytest.Config) -> None:
    recorded = config.stash.get(SESSION, None)
    if recorded is not None:
        recorded.abandon()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    recorded = config.stash.get(SESSION, None)
    if recorded is None or recorded.is_worker:
        return
    terminalreporter.write_sep("=", "runcite")
    missed: dict[tuple[str, str], str] = {}
    for report in terminalreporter.stats.get("missed", ()):
        case, variant, said = getattr(report, MISSED)
        missed.setdefault((case, variant), said)
    for colour, line in recorded.summary(missed):
        terminalreporter.write_line(line, **({colour: True} if colour else {}))
