// SPDX-License-Identifier: MIT
// The page of pfifo report. `report` (data.js) has rows of words, methods, draws, accesses to memory and faults. Whatever comes
// from the capture gets into the page as text, never as markup.
'use strict';
(() => {
  const KINDS = ['submission', 'segment', 'header', 'method', 'jump', 'other', 'error', 'syncpoint'];
  const SUBMISSION = 0, SEGMENT = 1, HEADER = 2, METHOD = 3, JUMP = 4, OTHER = 5, ERROR = 6;
  const MANY = 200;
  const TALLEST = 16000000; // pixels: a little further down, browsers show nothing
  const { rows, methods, draws, accesses, faults } = report;
  const at = id => document.getElementById(id);
  const list = at('list'), room = at('room'), panel = at('panel'), search = at('search');
  let shown = null; // the rows that match; null: all
  let selected = -1;
  let height = 22; // of a row, as the stylesheet says
  const drawOf = new Map(draws.map((draw, i) => [draw.row, i]));
  const faultOf = new Map(faults.map((fault, i) => [fault.row, i]));

  const hex = (value, digits = 1) => Number(value).toString(16).padStart(digits, '0');
  const className = id => report.classes[id] || (id ? hex(id, 4) : '');
  const element = (tag, text, kind) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (kind) made.className = kind;
    return made;
  };
  const button = (text, action, kind = 'link') => {
    const made = element('button', text, kind);
    made.type = 'button';
    made.addEventListener('click', action);
    return made;
  };
  const go = where => { location.hash = where; };

  // ---- what a row says ----

  const methodOf = row => (row[0] === HEADER || row[0] === METHOD ? methods[row[6]] : null);
  const counted = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;
  const nameOf = row => {
    const method = methodOf(row);
    switch (row[0]) {
    case SUBMISSION: return `submission ${row[1]}`;
    case SEGMENT: return `segment, ${counted(row[4], 'word')}`;
    case HEADER: return `${method.name || hex(method.method, 4)} × ${row[7]}`;
    case METHOD: return method.name || hex(method.method, 4);
    case JUMP: return `${row[6]} to ${hex(row[5], 8)}`;
    case OTHER: case ERROR: return row[5];
    default: return `${row[5]} of syncpoint ${row[3]} at ${row[4]}`;
    }
  };
  const meaningOf = row => {
    switch (row[0]) {
    case SUBMISSION: return `channel ${row[2]}, ${counted(row[3], 'segment')}`;
    case HEADER: return `${row[8]}, subchannel ${row[5]} ${className(methodOf(row).class)}`;
    case METHOD: return (row[9] ? 'not for this GPU  ' : '') + (row[8] || '');
    default: return '';
    }
  };
  const hasAddress = row => row[0] !== SUBMISSION && row[0] !== 7;
  const textOf = row => [nameOf(row), className((methodOf(row) || {}).class), meaningOf(row),
    hasAddress(row) ? hex(row[3], 10) : '', row[0] === METHOD ? hex(row[7], 8) : ''].join(' ').toLowerCase();
  const hoverOf = row => {
    const method = methodOf(row);
    if (!method) return nameOf(row);
    return `${className(method.class)}.${method.name || hex(method.method, 4)}\n` +
      method.fields.map(field => `${field[1]}  ${field[0]}  ${field[2]}`).join('\n');
  };

  // ---- the list: only what is in view is in the document ----

  const count = () => (shown ? shown.length : rows.length);
  const rowAt = place => (shown ? shown[place] : place);
  const placeOf = number => {
    if (!shown) return number;
    let low = 0, high = shown.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (shown[middle] < number) low = middle + 1; else high = middle;
    }
    return low;
  };
  const rowElement = (number, place, shift) => {
    const row = rows[number], made = element('div', undefined, `row ${KINDS[row[0]]}`);
    made.id = `row${number}`;
    made.setAttribute('role', 'option');
    made.setAttribute('aria-selected', number === selected);
    made.setAttribute('aria-posinset', place + 1);
    made.setAttribute('aria-setsize', count());
    made.style.top = `${place * height + shift}px`;
    made.title = hoverOf(row);
    const where = element('span', undefined, 'where'), what = element('span', undefined, 'what');
    where.append(element('span', hasAddress(row) ? hex(row[3], 10) : '', 'a'),
      element('span', hasAddress(row) && row[0] !== SEGMENT ? hex(row[4], 8) : '', 'w'));
    what.append(element('span', nameOf(row), 'n'));
    if (drawOf.has(number)) what.append(element('span', draws[drawOf.get(number)].title, 'badge'));
    if (faultOf.has(number)) {
      made.classList.add('fault');
      what.append(element('span', faults[faultOf.get(number)].error, 'badge bad'));
    }
    made.append(where, what, element('span', meaningOf(row), 'm'));
    made.addEventListener('click', () => go(`row=${number}`));
    return made;
  };
  // A list that would be too tall is scrolled by more than the browser thinks.
  const whole = () => count() * height;
  const tall = () => Math.min(whole(), TALLEST);
  const scale = () => (whole() > TALLEST ? (whole() - list.clientHeight) / (tall() - list.clientHeight) : 1);
  const render = () => {
    height = parseFloat(getComputedStyle(list).getPropertyValue('--row'));
    room.style.height = `${tall()}px`;
    const top = list.scrollTop * scale();
    const first = Math.max(0, Math.floor(top / height) - 8);
    const end = Math.min(count(), first + Math.ceil(list.clientHeight / height) + 16);
    const made = [];
    for (let place = first; place < end; place++) made.push(rowElement(rowAt(place), place, list.scrollTop - top));
    room.replaceChildren(...made);
    if (selected >= 0) list.setAttribute('aria-activedescendant', `row${selected}`);
  };
  const reveal = number => {
    render();
    const top = placeOf(number) * height, now = list.scrollTop * scale();
    if (top < now || top > now + list.clientHeight - height)
      list.scrollTop = Math.max(0, top - list.clientHeight / 3) / scale();
    render();
  };
  const find = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean).map(word => word.replace(/^0x/, ''));
    shown = null;
    if (words.length) {
      shown = [];
      rows.forEach((row, number) => {
        const text = textOf(row);
        if (words.every(word => text.includes(word))) shown.push(number);
      });
    }
    at('matches').textContent = shown ? `${shown.length} of ${rows.length}` : '';
    list.scrollTop = 0;
    if (selected >= 0) reveal(selected); else render();
  };

  // ---- the panel: there while something is chosen ----

  const fillPanel = parts => {
    const close = button('close', () => go(''), 'close');
    close.title = 'Escape';
    panel.replaceChildren(close, ...parts);
    panel.scrollTop = 0;
  };
  const openPanel = open => {
    panel.hidden = !open;
    document.body.classList.toggle('chosen', open);
  };
  const facts = pairs => {
    const made = element('dl');
    for (const [key, value] of pairs) {
      if (value === undefined || value === '') continue;
      const to = element('dd');
      to.append(value);
      made.append(element('dt', key), to);
    }
    return made;
  };
  const addressLink = address => button(`0x${hex(address)}`, () => go(`address=0x${hex(address)}`));
  const rowLink = number => (number < 0 || !rows[number] ? 'not in the page' :
    button(`${nameOf(rows[number])} in submission ${rows[number][1]}`, () => go(`row=${number}`)));
  const table = (lines, note) => {
    const made = element('table');
    for (const line of lines.slice(0, MANY)) {
      const row = made.insertRow();
      for (const cell of line) row.insertCell().append(cell === undefined ? '' : cell);
    }
    if (lines.length > MANY) made.insertRow().insertCell().append(`${lines.length - MANY} more`);
    if (!lines.length && note) made.insertRow().insertCell().append(note);
    return made;
  };
  const touches = (access, address) => address >= access[0] && address < access[0] + Math.max(access[1], 1);
  const showAddress = address => {
    const hits = accesses.filter(access => touches(access, address));
    const part = mode => table(hits.filter(hit => hit[3] === mode)
      .map(hit => [hit[4], hit[0] === address ? '' : `from 0x${hex(hit[0])} on`, rowLink(hit[2])]), 'nobody in this report');
    fillPanel([element('h2', 'Address'), element('h3', `0x${hex(address)}`),
      element('h2', 'Written by'), part('w'), element('h2', 'Read by'), part('r'), element('h2', 'Named by'), part('n')]);
  };
  const showMethod = row => {
    const method = methodOf(row), full = `${className(method.class)}.${method.name || hex(method.method, 4)}`;
    panel.append(element('h2', 'Method'), element('h3', full),
      facts([['offset', `0x${hex(method.method, 4)}`], ['also', method.alias], ['only on', method.chips],
        ['data', row[0] === METHOD ? `0x${hex(row[7], 8)}` : ''], ['says', row[0] === METHOD ? row[8] : '']]));
    panel.append(element('h2', 'Fields'),
      table(method.fields.map(field => [field[1], field[0], field[2]]), 'none that is known'));
    const ask = element('p');
    ask.append('Ask ', element('code', `pfifo explain ${full}${row[0] === METHOD ? `=0x${hex(row[7])}` : ''}`));
    panel.append(ask);
  };
  const showRow = number => {
    const row = rows[number];
    fillPanel([]);
    if (faultOf.has(number)) panel.append(...faultParts(faults[faultOf.get(number)]));
    if (drawOf.has(number)) panel.append(button(`${draws[drawOf.get(number)].title}: picture and state`,
      () => go(`shown=${drawOf.get(number)}`)));
    if (methodOf(row)) showMethod(row);
    else panel.append(element('h2', KINDS[row[0]]), element('h3', nameOf(row)));
    panel.append(element('h2', 'Word'), facts([['submission', String(row[1])], ['channel', String(row[2])],
      ['address', hasAddress(row) ? addressLink(row[3]) : ''],
      ['target', row[0] === JUMP ? addressLink(row[5]) : '']]));
    const own = accesses.filter(access => access[2] === number);
    if (own.length) panel.append(element('h2', 'Memory'),
      table(own.map(access => [{ w: 'writes', r: 'reads', n: 'names' }[access[3]], access[4], addressLink(access[0])])));
  };
  const faultParts = fault => [element('h2', 'Fault'), element('h3', `${fault.unit} ${fault.error}`, 'bad'),
    facts([['means', fault.means], ['count', String(fault.count)], ['submission', String(fault.submission)],
      ['address', addressLink(fault.address)], ['data', `0x${hex(fault.data)}`], ['word', rowLink(fault.row)], ...fault.fetched === undefined ? []
        : [['fetched', `0x${hex(fault.fetched, 8)}: not the word that was recorded: something has overwritten it`]]])];
  const changeOf = ([name, before, after, meaning], first) => {
    const made = element('div', name);
    const values = first ? hex(after, 8) : `${hex(before, 8)} → ${hex(after, 8)}`;
    made.append(element('div', `${values}  ${meaning}`, 'change'));
    return made;
  };
  const isLaunch = draw => draw.title.startsWith('launch');
  const showDraw = number => {
    const draw = draws[number];
    fillPanel([element('h2', isLaunch(draw) ? 'Launch' : 'Draw'), element('h3', draw.title)]);
    if (draw.picture) {
      const image = element('img');
      image.src = draw.picture;
      image.alt = `target 0x${hex(draw.targets[0].address)} behind ${draw.title}`;
      panel.append(image);
    } else if (!isLaunch(draw)) panel.append(element('p', 'no picture'));
    panel.append(facts([['word', rowLink(draw.row)], ['submission', String(draw.submission)], ...draw.facts]));
    if (!isLaunch(draw)) panel.append(element('h2', 'Targets'), table(draw.targets.map(target =>
      [target.name, addressLink(target.address), target.format, `${target.width}×${target.height}`])));
    if (draw.textures.length) panel.append(element('h2', 'Textures'), table(draw.textures.map(texture =>
      [`tic:${texture.header}`, addressLink(texture.address), texture.shape, texture.format, `${texture.width}×${texture.height}`])));
    panel.append(element('h2', draw.first ? 'State, where it is not 0' : 'State that changed since the draw before'),
      table(draw.changed.map(line => [changeOf(line, draw.first)]), 'nothing'));
    if (draw.more) panel.append(element('p', `${draw.more} more: see pfifo state`));
  };

  // ---- places ----

  const select = number => {
    selected = number;
    reveal(number);
  };
  const mark = () => {
    for (const made of document.querySelectorAll('nav button'))
      made.setAttribute('aria-current', `#${made.dataset.place}` === location.hash);
  };
  const known = (key, number) => ({ row: rows, shown: draws, fault: faults }[key] || [])[number] !== undefined ||
    (key === 'address' && number >= 0);
  const follow = () => {
    const [key, value] = location.hash.slice(1).split('=');
    const number = Number(value);
    document.body.classList.remove('places');
    at('places').setAttribute('aria-expanded', 'false');
    openPanel(known(key, number)); // what is in view depends on it
    if (key === 'row' && rows[number]) {
      if (shown && shown[placeOf(number)] !== number) { search.value = ''; find(); }
      select(number);
      showRow(number);
    } else if (key === 'shown' && draws[number]) {
      if (draws[number].row >= 0) select(draws[number].row);
      showDraw(number);
    } else if (key === 'fault' && faults[number]) {
      if (faults[number].row >= 0) select(faults[number].row);
      fillPanel(faultParts(faults[number]));
    } else if (key === 'address' && number >= 0) showAddress(number);
    render();
    mark();
  };
  const place = (where, text, picture) => {
    const item = element('li'), made = button('', () => go(where), '');
    made.dataset.place = where;
    if (picture) {
      const image = element('img');
      image.src = picture;
      image.alt = '';
      image.loading = 'lazy';
      made.append(image);
    }
    made.append(element('span', text));
    item.append(made);
    return item;
  };
  const fill = (id, items) => at(id).replaceChildren(...(items.length ? items : [element('li', 'none', 'empty')]));
  const moveTo = step => {
    const from = selected < 0 ? (step > 0 ? -1 : 0) : placeOf(selected);
    const to = Math.min(count() - 1, Math.max(0, from + step));
    if (count()) go(`row=${rowAt(to)}`);
  };
  const drawStep = step => {
    const now = /^#shown=(\d+)$/.exec(location.hash);
    let next = now ? Number(now[1]) + step : draws.findIndex(draw => draw.row > selected);
    if (!now && step < 0) next = draws.filter(draw => draw.row >= 0 && draw.row < selected).length - 1;
    if (draws[next]) go(`shown=${next}`);
  };
  const pressed = event => {
    const page = Math.max(1, Math.floor(list.clientHeight / height) - 1);
    const steps = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: page, PageUp: -page, Home: -rows.length, End: rows.length };
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target === search) {
      if (event.key === 'Escape') { search.value = ''; find(); list.focus(); }
      if (event.key === 'Enter' && count()) { list.focus(); go(`row=${rowAt(0)}`); }
      return;
    }
    if (event.key === 'Escape' && !panel.hidden) { go(''); list.focus(); }
    else if (event.key === '/') { search.focus(); search.select(); }
    else if (event.key === 'n') drawStep(1);
    else if (event.key === 'p') drawStep(-1);
    else if (event.key in steps && (event.target === list || event.target === document.body)) moveTo(steps[event.key]);
    else return;
    event.preventDefault();
  };

  // Draws are counted as draw:N does; clears and launches beside them.
  const works = () => ['draw', 'clear', 'launch'].map(kind => [kind, draws.filter(draw => draw.title.startsWith(kind)).length])
    .filter(([kind, many]) => many || kind === 'draw')
    .map(([kind, many]) => counted(many, kind, kind === 'launch' ? 'launches' : undefined));
  const showPlaces = () => {
    const open = document.body.classList.toggle('places');
    at('places').setAttribute('aria-expanded', String(open));
  };
  const start = () => {
    document.title = `${report.capture} – pfifo report`;
    at('title').textContent = report.capture;
    at('facts').textContent = `${report.chip}: ` + [counted(report.submissions, 'submission'), counted(rows.length, 'row'),
      ...works(), counted(report.faultCount, 'fault')].join(', ');
    at('notes').replaceChildren(...report.notes.map(note => element('p', note)));
    fill('faults', faults.map((fault, i) => place(`fault=${i}`, `${fault.unit} ${fault.error} × ${fault.count}`)));
    fill('draws', draws.map((draw, i) => place(`shown=${i}`, `${draw.title}\n`, draw.picture)));
    const submissions = [];
    rows.forEach((row, i) => { if (row[0] === SUBMISSION) submissions.push(place(`row=${i}`, `${row[1]}, channel ${row[2]}`)); });
    fill('submissions', submissions);
    at('texts').replaceChildren(...report.texts.flatMap(text => [element('dt', text[0]), element('dd', text[1])]));
    search.addEventListener('input', find);
    list.addEventListener('scroll', render);
    window.addEventListener('resize', render);
    window.addEventListener('hashchange', follow);
    document.addEventListener('keydown', pressed);
    at('places').addEventListener('click', showPlaces);
    if (!location.hash && faults.length) history.replaceState(null, '', '#fault=0');
    follow();
  };

  start();
})();
