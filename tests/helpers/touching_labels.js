// The labels of a page's plots that lie over one another, or stick out of their plot.
(() => {
  // Corners of each text in the plot's own coordinates, turned as it is drawn.
  const corners = one => {
    const box = one.getBBox(), m = one.getCTM();
    return [[box.x, box.y], [box.x + box.width, box.y], [box.x + box.width, box.y + box.height], [box.x, box.y + box.height]]
      .map(([x, y]) => [m.a * x + m.c * y + m.e, m.b * x + m.d * y + m.f]);
  };
  const gap = (a, b) => {
    let widest = -Infinity;
    for (const shape of [a, b]) for (let i = 0; i < 4; i += 1) {
      const [x1, y1] = shape[i], [x2, y2] = shape[(i + 1) % 4];
      const length = Math.hypot(x2 - x1, y2 - y1) || 1, nx = (y1 - y2) / length, ny = (x2 - x1) / length;
      const span = s => { const along = s.map(([x, y]) => x * nx + y * ny); return [Math.min(...along), Math.max(...along)]; };
      const [p, q] = span(a), [r, t] = span(b);
      widest = Math.max(widest, r - q, p - t);
    }
    return widest;
  };
  const found = [];
  for (const plot of document.querySelectorAll('svg.plot')) {
    const texts = [...plot.querySelectorAll('text')].filter(one => one.textContent.trim()), all = texts.map(corners);
    for (let i = 0; i < all.length; i += 1) for (let j = i + 1; j < all.length; j += 1)
      if (gap(all[i], all[j]) < -2) found.push(`${plot.getAttribute('aria-label')}: ${texts[i].textContent} / ${texts[j].textContent}`);
    const frame = plot.getBoundingClientRect();
    for (const one of texts) { const b = one.getBoundingClientRect();
      if (b.left < frame.left - 2 || b.right > frame.right + 2 || b.top < frame.top - 2 || b.bottom > frame.bottom + 2) found.push(`${plot.getAttribute('aria-label')}: ${one.textContent} sticks out`); }
  }
  return found.slice(0, 40);
})()
