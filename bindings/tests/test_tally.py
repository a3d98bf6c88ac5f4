"""The counting behind the closing line of `make test`: nothing that failed may look green."""

import pytest
from tally import Tally, read_junit

PYTEST_REPORT = """<testsuites><testsuite>
<testcase name="a"/>
<testcase name="b"><failure message="assert"/></testcase>
<testcase name="c"><error message="set-up"/></testcase>
<testcase name="d"><skipped message="needs torch"/></testcase>
</testsuite></testsuites>"""

CTEST_REPORT = """<testsuite>
<testcase name="a" status="run"><system-out/></testcase>
<testcase name="b" status="fail"><failure message=""/></testcase>
<testcase name="c" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/></testcase>
<testcase name="d" status="disabled"/>
</testsuite>"""

GREEN_REPORT = '<testsuite><testcase name="a"/></testsuite>'


@pytest.mark.parametrize(
    ("text", "returncode", "expected"),
    [
        (PYTEST_REPORT, 1, Tally(1, 2, 1)),
        (CTEST_REPORT, 8, Tally(1, 1, 2)),
        (GREEN_REPORT, 0, Tally(1, 0, 0)),
        (GREEN_REPORT, -11, Tally(1, 1, 0)),
        ("<testsuite/>", 5, Tally(0, 1, 0)),
        ("<testsui", 0, Tally(0, 1, 0)),
    ],
    ids=["pytest", "ctest", "green", "green but crashed", "nothing collected", "cut off"],
)
def test_report_is_counted(tmp_path, text, returncode, expected):
    report = tmp_path / "report.xml"
    report.write_text(text, encoding="utf-8")
    assert read_junit(report, returncode) == expected


def test_missing_report_is_a_failure(tmp_path):
    assert read_junit(tmp_path / "absent.xml", 0) == Tally(failed=1)


def test_closing_line():
    assert str(Tally(3, 0, 0) + Tally(4, 1, 0)) == "7 passed, 1 failed"
    assert str(Tally(3, 0, 0) + Tally(0, 0, 2)) == "3 passed, 0 failed, 2 skipped"


def test_exit_code_needs_a_passed_test_and_no_failed_one():
    assert Tally(1, 0, 5).exit_code == 0
    assert Tally(1, 1, 0).exit_code == 1
    assert Tally(0, 0, 5).exit_code == 1
