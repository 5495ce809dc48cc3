'use strict';

// Everything that comes from the TSD is shown as text; nothing is ever read as HTML.
(() => {
  const SVG = 'http://www.w3.org/2000/svg';
  const WIDTH = 1160;
  const LEFT = 60;
  const ROW = 26;
  const BAR = 16;
  const HOUR = 3600000;

  const byId = id => document.getElementById(id);

  const element = (name, text, className) => {
    const made = document.createElement(name);
    if (text !== undefined) {
      made.textContent = text;
    }
    if (className) {
      made.className = className;
    }
    return made;
  };

  const time = millis => {
    if (!millis) {
      return '';
    }
    const date = new Date(millis);
    return isNaN(date) ? String(millis) : date.toISOString().replace('T', ' ').replace(/(:00)?\.000Z$|\.\d+Z$/, '');
  };

  const number = value => Number(value).toLocaleString('en-US');

  // Columns: [title, text of a row, class of the cells].
  const table = (id, columns, rows) => {
    const target = byId(id);
    target.replaceChildren();
    if (rows.length === 0) {
      target.append(element('caption', 'none', 'none'));
      return;
    }
    const head = element('tr');
    columns.forEach(([title, , kind]) => head.append(element('th', title, kind === 'number' ? kind : '')));
    const top = element('thead');
    top.append(head);
    const body = element('tbody');
    rows.forEach(row => {
      const line = element('tr');
      columns.forEach(([, text, kind]) => {
        const value = text(row);
        const cell = element('td', value instanceof Node ? undefined : value, kind);
        if (value instanceof Node) {
          cell.append(value);
        }
        line.append(cell);
      });
      body.append(line);
    });
    target.append(top, body);
  };

  const svg = (name, attributes, title) => {
    const made = document.createElementNS(SVG, name);
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    if (title) {
      const tip = document.createElementNS(SVG, 'title');
      tip.textContent = title;
      made.append(tip);
    }
    return made;
  };

  // The bounds of the time axis: what is asked for, else all that there is.
  const bounds = (coverage, now) => {
    const span = Number(byId('span').value);
    if (span > 0) {
      return [now - span, now];
    }
    const starts = coverage.intervals.flatMap(each => each.ranges.map(range => range[0]));
    const ends = coverage.intervals.flatMap(each => each.ranges.map(range => range[1]));
    coverage.masks.forEach(mask => starts.push(mask.from));
    const from = starts.reduce((a, b) => Math.min(a, b), now - 24 * HOUR);
    return [from, ends.reduce((a, b) => Math.max(a, b), now)];
  };

  const timeline = (coverage, now) => {
    const [from, to] = bounds(coverage, now);
    const x = millis => LEFT + (Math.min(Math.max(millis, from), to) - from) / (to - from) * (WIDTH - LEFT);
    const height = coverage.intervals.length * ROW + 24;
    const drawing = svg('svg', {viewBox: `0 0 ${WIDTH} ${height}`, role: 'img', 'aria-label': 'Coverage by interval over time'});
    const bar = (row, begin, end, kind, title) => {
      if (end > from && begin < to) {
        const left = x(begin);
        // A mask of an hour stays visible in a year.
        drawing.append(svg('rect', {x: left, y: row * ROW + 4, width: Math.max(x(end) - left, 1.5), height: BAR, class: kind}, title));
      }
    };
    coverage.intervals.forEach((interval, row) => {
      const label = svg('text', {x: 0, y: row * ROW + 4 + BAR - 3});
      label.append(interval.interval);
      drawing.append(label);
      bar(row, from, to, 'hole', `${interval.interval}: not proven`);
      interval.ranges.forEach(range =>
        bar(row, range[0], range[1], 'proven', `${interval.interval}: ${time(range[0])} to ${time(range[1])}`));
      // A mask voids each rollup that has a part of its hour.
      const width = interval.width;
      (interval.ranges.length ? coverage.masks : []).forEach(mask =>
        bar(row, Math.floor(mask.from / width) * width, Math.ceil(mask.to / width) * width, 'mask',
          `${mask.metric}: ${mask.kind}, ${time(mask.from)} to ${time(mask.to)}`));
    });
    for (let i = 0; i <= 5; i++) {
      const at = from + (to - from) * i / 5;
      const left = x(at);
      const anchor = i === 0 ? 'start' : i === 5 ? 'end' : 'middle';
      drawing.append(svg('line', {x1: left, x2: left, y1: 0, y2: height - 20, class: 'tick'}));
      const label = svg('text', {x: left, y: height - 4, 'text-anchor': anchor});
      label.append(time(Math.round(at / 60000) * 60000));
      drawing.append(label);
    }
    byId('timeline').replaceChildren(drawing);
  };

  const showCoverage = (coverage, now) => {
    const notes = [];
    if (coverage.reason) {
      notes.push(`Nothing is proven, queries read raw data: ${coverage.reason}.`);
    } else {
      notes.push(`${number(coverage.windows)} windows, ${number(coverage.masks.length + coverage.masksLeftOut)} masks.`);
    }
    if (coverage.masksLeftOut > 0) {
      notes.push(`The newest ${number(coverage.masks.length)} masks are shown.`);
    }
    byId('coverage-note').textContent = notes.join(' ');
    byId('coverage-note').className = coverage.reason ? 'bad' : '';
    byId('legend-proven').textContent = coverage.metric ? `proven for ${coverage.metric}` : 'windows of some or all metrics';
    timeline(coverage, now);
    table('intervals', [
      ['Interval', row => row.interval],
      ['Table', row => row.table],
      ['First', row => row.ranges.length ? (row.rangesLeftOut ? 'before ' : '') + time(row.ranges[0][0]) : 'none', 'time'],
      ['End', row => row.ranges.length ? time(row.ranges[row.ranges.length - 1][1]) : 'none', 'time'],
      ['Holes', row => Math.max(0, row.ranges.length + row.rangesLeftOut - 1), 'number'],
      ['Newest asOf', row => time(row.asOf), 'time'],
      ['Metrics', row => row.metrics.join('; ')],
      ['Does not count because', row => row.void, 'bad'],
    ], coverage.intervals);
    table('floors', [
      ['Level', row => row.level],
      ['Before', row => time(row.before), 'time'],
      ['Metrics', row => row.metrics],
      ['As of', row => time(row.asOf), 'time'],
      ['Evidence', row => row.evidence],
    ], coverage.floors);
  };

  const checkColumns = [
    ['Time', row => time(row.time), 'time'],
    ['Outcome', row => row.outcome.replaceAll('_', ' ')],
    ['Metric', row => row.metric],
    ['Bucket', row => `${row.interval} ${time(row.from)}`],
    ['Table', row => row.table],
    ['Aggregators', row => row.aggregators.join(', ')],
    ['Series', row => row.series, 'number'],
  ];

  const differenceColumns = [
    ['Time', row => time(row.time), 'time'],
    ['Series', row => row.example.name],
    ['Bucket', row => `${row.interval} ${time(row.from)}`],
    ['Table', row => row.table],
    ['Aggregators', row => row.aggregators.join(', ')],
    ['Rollup', row => row.example.rollup, 'bad'],
    ['Raw data', row => row.example.raw, 'bad'],
    ['Proven as of', row => time(row.example.asOf), 'time'],
    ['Raw data written', row => time(row.example.rawWritten), 'time'],
    ['Series that differ', row => `${row.different} of ${row.series}`, 'number'],
  ];

  const explainButton = row => {
    const button = element('button', 'explain');
    button.type = 'button';
    button.addEventListener('click', () => {
      byId('start').value = row.start;
      byId('end').value = row.end;
      byId('query').value = row.queries.join('\n');
      byId('explain-form').requestSubmit();
      byId('explain-form').scrollIntoView();
    });
    return button;
  };

  const queryColumns = [
    ['Ended', row => time(row.time), 'time'],
    ['Client', row => row.client],
    ['Query', row => row.queries.join('\n')],
    ['From', row => time(row.start), 'time'],
    ['To', row => time(row.end), 'time'],
    ['Outcome', row => row.outcome.replaceAll('_', ' ')],
    ['Cells', row => number(row.cells), 'number'],
    ['MB', row => number((row.bytes / 1048576).toFixed(1)), 'number'],
    ['ms', row => number(row.millis), 'number'],
    ['Read', row => row.read],
    ['', explainButton],
  ];

  const ask = async (uri, options) => {
    const answer = await fetch(uri, {credentials: 'same-origin', ...options});
    const text = await answer.text();
    if (!answer.ok) {
      let message = text;
      try {
        message = JSON.parse(text).error.message;
      } catch (e) {
        // The TSD answers some errors in plain text.
      }
      throw new Error(`${answer.status}: ${message}`);
    }
    return JSON.parse(text);
  };

  const showError = error => {
    byId('error').hidden = !error;
    byId('error').textContent = error ? error.message : '';
  };

  const refresh = async () => {
    try {
      const state = await ask('ui/state?metric=' + encodeURIComponent(byId('metric').value.trim()));
      byId('state').textContent = state.state;
      showCoverage(state.coverage, state.now);
      table('differences', differenceColumns, state.differences);
      table('checks', checkColumns, state.checks);
      table('heavy', queryColumns, state.heavy);
      table('refused', queryColumns, state.refused);
      showError(null);
      document.body.dataset.ready = 'true';
    } catch (error) {
      showError(error);
    }
  };

  const showPlan = explained => {
    const target = byId('plan');
    target.replaceChildren();
    target.append(element('p', `From ${time(explained.start)} to ${time(explained.end)}.`));
    if (explained.coverage) {
      target.append(element('p', `Nothing is proven: ${explained.coverage}.`, 'bad'));
    }
    explained.queries.forEach(query => {
      target.append(element('h3', query.query));
      target.append(element('p', query.summary));
      if (query.ofSeries) {
        const each = `${number(query.ofSeries.rollupCells)} cells of rollups and ${number(query.ofSeries.rawHours)} hours of raw data`;
        target.append(element('p', query.series === undefined
          ? `Of each series ${each}; how many series there are is not known.`
          : `About ${number(query.cells)} cells: ${number(query.series)} series, of each ${each}.`));
      }
      if (query.pieces) {
        const pieces = element('table');
        pieces.id = `pieces-${query.index}`;
        target.append(pieces);
        table(pieces.id, [
          ['From', row => time(row.from), 'time'],
          ['To', row => time(row.to), 'time'],
          ['Read from', row => row.interval],
          ['Buckets', row => row.buckets === undefined ? '' : number(row.buckets), 'number'],
        ], query.pieces);
        if (query.piecesLeftOut > 0) {
          target.append(element('p', `${number(query.piecesLeftOut)} more pieces`));
        }
      }
    });
  };

  const explain = async () => {
    const text = byId('query').value.trim();
    try {
      if (text.startsWith('{')) {
        showPlan(await ask('explain', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: text}));
        return;
      }
      const parameters = new URLSearchParams({start: byId('start').value.trim()});
      if (byId('end').value.trim()) {
        parameters.set('end', byId('end').value.trim());
      }
      text.split('\n').map(line => line.trim()).filter(line => line).forEach(line => parameters.append('m', line));
      showPlan(await ask('explain?' + parameters));
    } catch (error) {
      byId('plan').replaceChildren(element('p', error.message, 'bad'));
    }
  };

  const onSubmit = (id, action) => byId(id).addEventListener('submit', event => {
    event.preventDefault();
    action();
  });

  onSubmit('coverage-form', refresh);
  onSubmit('explain-form', explain);
  byId('span').addEventListener('change', refresh);
  // A link to an explained query: #m=...&start=...&end=...
  const wanted = new URLSearchParams(location.hash.slice(1));
  if (wanted.has('metric')) {
    byId('metric').value = wanted.get('metric');
  }
  if (wanted.has('m')) {
    byId('query').value = wanted.getAll('m').join('\n');
    byId('start').value = wanted.get('start') || '1d-ago';
    byId('end').value = wanted.get('end') || '';
    explain();
  }
  refresh();
  setInterval(() => {
    if (!document.hidden) {
      refresh();
    }
  }, 30000);
})();
