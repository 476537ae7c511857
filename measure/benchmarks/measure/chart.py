"""Draws the CPU time per request as bars, in a panel for each label. The longest bars are cut."""
from xml.sax.saxutils import escape

from .results import median

WIDTH, LABEL, BAR, GAP = 760, 250, 16, 6
# A bar is cut if it is this many times as long as the shortest one, so that the others remain
# comparable.
LONG = 5
BREAK = 8
TITLES = {"start": "first 4 s after a start"}
STYLE = """
text { font: 12px system-ui, sans-serif; fill: #24292f }
.title { font-weight: 600; font-size: 14px }
.ours { fill: #0a7d6c } .other { fill: #9aa4af }
@media (prefers-color-scheme: dark) { text { fill: #d7dde3 } .ours { fill: #2fb8a2 } .other { fill: #636d78 } }
"""


def svg(results):
    parts, top = [], 10
    for label in results.labels():
        measured = ((median(results.of(name, label, "micros")), name) for name in results.names(label))
        bars = sorted((value, name) for value, name in measured if value)
        # "block" waits 100 ms for each response, and is compared by other figures.
        if bars and label != "block":
            panel, top = draw(label, bars, top)
            parts += panel
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top}" width="{WIDTH}" height="{top}" role="img" '
            f'aria-label="CPU microseconds per request"><style>{STYLE}</style>\n' + "\n".join(parts) + "\n</svg>\n")


def draw(label, bars, top):
    parts = [f'<text class="title" x="8" y="{top + 14}">{escape(TITLES.get(label, label))}: CPU µs per request, lower is better</text>']
    top += 26
    longest = min(bars[-1][0], LONG * bars[0][0])
    scale = (WIDTH - LABEL - 70) / max(longest, 0.001)
    for value, name in bars:
        kind = "ours" if name.startswith("Percolate") else "other"
        length = min(value, longest) * scale
        pieces = [(0, length)] if value <= longest else [(0, length - 3 * BREAK), (length - 2 * BREAK, 2 * BREAK)]
        parts.append(f'<text x="{LABEL - 8}" y="{top + 12}" text-anchor="end">{escape(name)}</text>')
        parts += [f'<rect class="{kind}" x="{LABEL + start:.1f}" y="{top}" width="{width:.1f}" height="{BAR}" rx="2"/>' for start, width in pieces]
        parts.append(f'<text x="{LABEL + length + 6:.1f}" y="{top + 12}">{value:.1f}</text>')
        top += BAR + GAP
    return parts, top + 14
