"""The box below a page that says how to get it again, and for one's own figures."""

import re

from joulebook.publish.book.page import topic_of

OWN = "CLIENT"  # stands for a folder of one's own
_BOX = re.compile(r"^(:{3,})\{div\} rerun\n.*?^\1$", re.MULTILINE | re.DOTALL)


def is_box(cell):
    """Whether a cell is the box that a topic's notebook brings along."""
    return cell.cell_type == "markdown" and _BOX.search(cell.source) is not None


def rerun_box(name, page):
    """The box of a page, as MyST.

    Parameters
    ----------
    name : str
        Name of the page.
    page : joulebook.publish.book.page.Page
        The page.
    """
    topic, download = topic_of(name), ""
    if page.path is not None:
        file = f"{topic}.ipynb"
        link = f'<a download href="{file}">Download the executed notebook</a>'
        download = f'\n<p class="download">{link}, {file}: code, values and results of this page, for Jupyter.</p>\n'
    if page.command == own_command(topic):
        commands = [("Run this page again", page.command, f"{OWN} is the folder with your `client.yml`.")]
    elif page.command:
        commands = [("Run this page again", page.command, ""), ("On your own figures", own_command(topic), "")]
    else:
        by_hand = f"jupytext --to ipynb -o - notebooks/{topic}.md | papermill - out.ipynb"
        commands = [("Run this page again", by_hand, ""), ("With one value changed", f"{by_hand} -p NAME VALUE", ""),
                    ("On your own figures", own_command(topic), "")]
    told = [f"{says}\n\n```bash\n{command}\n```\n\n{aside}".rstrip() for says, command, aside in commands]
    about = f"`joulebook params {topic}` lists what may stand in a client’s folder."
    return "\n\n".join([f"::::{{div}} rerun\n{told[0]}", *told[1:], about, *filter(None, [download]), "::::"])


def own_command(topic, folder=OWN):
    """Command that makes a topic's page for a client.

    Examples
    --------
    >>> own_command("carbon", "data/clients/edge-sensor")
    'joulebook run data/clients/edge-sensor --topic carbon'
    """
    return f"joulebook run {folder} --topic {topic}"
