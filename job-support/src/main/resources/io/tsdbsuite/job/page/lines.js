'use strict';
// Draws the plots of the page: data has {id, title, width, series} of each.
const SVG = 'http://www.w3.org/2000/svg';

// Text is inserted only as text nodes, so names of metrics and errors are never interpreted.
function draw(tag, attributes, text) {
  const node = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  return node;
}
function number(value, digits) {
  return Number(value).toLocaleString('en', { maximumFractionDigits: digits === undefined ? 0 : digits });
}
function short(value) {
  const size = Math.abs(value);
  if (size >= 1e6) return number(value / 1e6, 2) + 'M';
  if (size >= 1e4) return number(value / 1e3, 1) + 'k';
  return number(value, size < 10 ? 2 : 1);
}
function time(seconds, length) { return new Date(seconds * 1000).toISOString().replace('T', ' ').slice(0, length); }
function ticks(low, high, count) {
  const rough = (high - low) / count || 1;
  const power = Math.pow(10, Math.floor(Math.log10(rough)));
  const step = [1, 2, 5, 10].map(f => f * power).find(s => s >= rough);
  const all = [];
  for (let t = Math.ceil(low / step) * step; t <= high + step * 1e-9; t += step) all.push(t);
  return all;
}
function timeTicks(from, to) {
  const step = [3600, 7200, 14400, 21600, 86400, 172800, 432000, 864000, 1728000].find(s => (to - from) / s <= 9) || 2592000;
  const all = [];
  for (let t = Math.ceil(from / step) * step; t <= to; t += step) all.push(t);
  return all;
}

// Lines over time: {name, colour, width, points: [[seconds, value]]}.
function lines(title, series, width) {
  const height = 250, left = 56, right = 14, top = 12, bottom = 26;
  const times = series.flatMap(s => s.points.map(p => p[0]));
  if (!times.length) return draw('svg', { viewBox: '0 0 ' + width + ' ' + height, role: 'img', 'aria-label': title });
  const values = series.flatMap(s => s.points.map(p => p[1]));
  const t0 = times.reduce((a, b) => Math.min(a, b)), t1 = times.reduce((a, b) => Math.max(a, b));
  const lowest = values.reduce((a, b) => Math.min(a, b)), highest = values.reduce((a, b) => Math.max(a, b));
  const room = (highest - lowest || Math.abs(highest) || 1) * 0.08;
  const low = lowest >= 0 ? Math.max(0, lowest - room) : lowest - room, high = highest + room;
  const x = t => left + (t - t0) / (t1 - t0 || 1) * (width - left - right);
  const y = v => height - bottom - (v - low) / (high - low) * (height - top - bottom);
  const svg = draw('svg', { viewBox: '0 0 ' + width + ' ' + height, role: 'img', 'aria-label': title });
  for (const v of ticks(low, high, 4)) {
    svg.append(draw('line', { x1: left, x2: width - right, y1: y(v), y2: y(v), class: 'grid' }));
    svg.append(draw('text', { x: left - 8, y: y(v) + 4, 'text-anchor': 'end' }, short(v)));
  }
  for (const t of timeTicks(t0, t1)) {
    const label = t % 86400 === 0 ? time(t, 10).slice(5) : time(t, 16).slice(11);
    svg.append(draw('line', { x1: x(t), x2: x(t), y1: height - bottom, y2: height - bottom + 4, class: 'grid' }));
    svg.append(draw('text', { x: x(t), y: height - 8, 'text-anchor': 'middle' }, label));
  }
  for (const s of series) {
    const path = s.points.map((p, i) => (i ? 'L' : 'M') + x(p[0]).toFixed(1) + ' ' + y(p[1]).toFixed(1)).join('');
    svg.append(draw('path', { d: path, fill: 'none', stroke: 'var(--' + s.colour + ')', 'stroke-width': s.width, 'stroke-linejoin': 'round' }));
  }
  const cross = draw('line', { y1: top, y2: height - bottom, class: 'grid', visibility: 'hidden' });
  const said = draw('text', { y: top, class: 'strong', visibility: 'hidden' });
  svg.append(cross, said);
  svg.addEventListener('pointermove', event => {
    const box = svg.getBoundingClientRect();
    const t = t0 + ((event.clientX - box.left) * width / box.width - left) / (width - left - right) * (t1 - t0);
    const parts = series.filter(s => s.points.length).map(s => {
      const p = s.points.reduce((a, b) => Math.abs(b[0] - t) < Math.abs(a[0] - t) ? b : a);
      return [p[0], s.name + ' ' + number(p[1], 3)];
    });
    const at = x(parts[0][0]);
    cross.setAttribute('x1', at); cross.setAttribute('x2', at); cross.setAttribute('visibility', 'visible');
    said.textContent = time(parts[0][0], 16) + '  ' + parts.map(p => p[1]).join('   ');
    said.setAttribute('x', at > width / 2 ? at - 6 : at + 6);
    said.setAttribute('text-anchor', at > width / 2 ? 'end' : 'start');
    said.setAttribute('visibility', 'visible');
  });
  svg.addEventListener('pointerleave', () => { cross.setAttribute('visibility', 'hidden'); said.setAttribute('visibility', 'hidden'); });
  return svg;
}

for (const plot of JSON.parse(document.getElementById('data').textContent)) {
  document.getElementById(plot.id).append(lines(plot.title, plot.series, plot.width));
}
