"""Facts of the page behind chapter 1."""


def test_the_printed_code_has_no_docstring(page):
    code = page.output("u04")
    assert code.startswith("def leaf_boxes(")
    assert "Parameters" not in code
