"""Checkers of the chapter "Random forests" that also run in the page."""

from plain_checks import close

from treelab.checkers import Hint, checker, expect


@checker("forests-2")
def check_variance_of_mean(variance_of_mean):
    got = variance_of_mean(0.5, 1.0, 10)
    expect(
        not close(got, 0.1),
        "that is the variance for independent variables; here each two have correlation rho.",
    )
    expect(
        not close(got, 0.5),
        "that is the limit for many trees; with 10 of them (1 - rho) / B is still there.",
    )
    expect(
        not close(got, 0.6),
        "rho + 1/B counts too much: the second term is (1 - rho) / B.",
    )
    expect(close(got, 0.55), "0.5 + 0.5 / 10 = 0.55 for rho = 0.5, variance 1 and B = 10.")
    expect(
        close(variance_of_mean(0.25, 8.0, 60), 2.1),
        "both terms are multiples of s2, the variance and not the standard deviation.",
    )
    expect(close(variance_of_mean(0.3, 4.0, 1), 4.0), "the mean of one variable is itself.")
    expect(
        close(variance_of_mean(-0.25, 1.0, 5), 0.0),
        "rho = -1/(B - 1) is just possible: the mean of 5 then has variance 0.",
    )
    for rho, B in ((-0.1, 20), (-0.3, 5), (1.2, 3)):
        try:
            value = variance_of_mean(rho, 1.0, B)
        except Exception as error:
            # A failure of the answer comes wrapped; its own exception is the argument.
            raised = error.args[0] if error.args else error
            if isinstance(raised, ValueError) or isinstance(error, ValueError):
                continue
            raise
        raise Hint(
            f"no {B} variables have correlation {rho}, yet you returned {value:.3g}: raise a "
            "ValueError above 1 and below -1/(B - 1)."
        )
    expect(
        close(variance_of_mean(-0.5, 1.0, 1), 1.0),
        "with B = 1 there is no pair, so no correlation is too low.",
    )
