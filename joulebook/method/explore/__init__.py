"""What a reader may move on a page: main results as sums of parts on a grid, from the method's own functions."""

from joulebook.method.explore import cost_per_token, idle_amortization, verdict

TOPICS = {"cost_per_token": cost_per_token.explored, "idle_amortization": idle_amortization.explored, "verdict": verdict.explored}


def explored(study):
    """The main results of a topic as sums of parts.

    Parameters
    ----------
    study : joulebook.method.study.Study
        A study of one of `TOPICS` that has run.

    Returns
    -------
    joulebook.method.explore.exploration.Exploration
    """
    return TOPICS[study.given.topic](study)
