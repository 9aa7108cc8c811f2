"""Words that want to be more than words: markup, code and formulas, and what no page or file name has room for."""

HOSTILE = (
    '<script>alert("x")</script><img src=x onerror=alert(1)> & &amp;',
    '#panic("x") #read("client.yml") $x^2$ @ref <lab> `raw` // no comment',
    r"\input{secret} \( x \) $$ e $$ $148.00 to $19.00 50 % ~^ {}",
    "**b** _i_ [l](javascript:alert(2)) ![p](https://example.org/p.png) {{ x }} {cite}`no` # head",
    "= SUM(A1)", "+ A1", "- A1", "@ A1",
    "Acme\u202etxt.exe\u2066 and \u200bmore",
    "W" * 300,
    "é" * 150,  # 300 bytes
    "a word; a \"quoted\" one, and a 'single' one\\",
)


def hostile(at):
    """A hostile text, and a mark at its end that tells its place."""
    return f"{HOSTILE[at % len(HOSTILE)]} q{at:04d}z"
