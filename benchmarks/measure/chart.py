"""Draws the CPU time per request as bars: one panel for each thing that was asked. The longest ones are broken."""
from xml.sax.saxutils import escape

from .rivals import WORKS
from .side_by_side import median

WIDTH, LABEL, BAR, GAP = 760, 250, 16, 6
# A bar is broken if it is so many times as long as the shortest, lest it make all the others look the same.
LONG = 5
BREAK = 8
STYLE = """
text { font: 12px system-ui, sans-serif; fill: #24292f }
.title { font-weight: 600; font-size: 14px }
.ours { fill: #0a7d6c } .other { fill: #9aa4af }
@media (prefers-color-scheme: dark) { text { fill: #d7dde3 } .ours { fill: #2fb8a2 } .other { fill: #636d78 } }
"""


def svg(results):
    parts, top = [], 10
    for work in WORKS:
        bars = sorted((median(results.of(name, work, "micros")), name) for name, of in results.rows if of == work)
        # Whoever waits 100 ms for each answer is compared by other figures.
        if bars and work != "block":
            panel, top = draw(work, bars, top)
            parts += panel
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top}" width="{WIDTH}" height="{top}" role="img" '
            f'aria-label="CPU microseconds per request"><style>{STYLE}</style>\n' + "\n".join(parts) + "\n</svg>\n")


def draw(work, bars, top):
    parts = [f'<text class="title" x="8" y="{top + 14}">{escape(work)}: CPU µs per request, less is better</text>']
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
