// SPDX-License-Identifier: MIT
// The page of pfifo report. `report` (data.js) has rows of words, methods, draws, accesses to memory and faults. Whatever comes
// from the capture gets into the page as text, never as markup.
'use strict';
(() => {
  const KINDS = ['submission', 'segment', 'header', 'method', 'jump', 'other', 'error', 'syncpoint'];
  const SUBMISSION = 0, SEGMENT = 1, HEADER = 2, METHOD = 3, JUMP = 4, OTHER = 5, ERROR = 6;
  const HEIGHT = 22, MANY = 200;
  const TALLEST = 16000000; // pixels: a little further down, browsers show nothing
  const { rows, methods, draws, accesses, faults } = report;
  const at = id => document.getElementById(id);
  const list = at('list'), room = at('room'), panel = at('panel'), search = at('search');
  let shown = null; // the rows that match; null: all
  let selected = -1;
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
  const counted = (count, what) => `${count} ${what}${count === 1 ? '' : 's'}`;
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
    made.style.top = `${place * HEIGHT + shift}px`;
    made.title = hoverOf(row);
    made.append(element('span', hasAddress(row) ? hex(row[3], 10) : '', 'a'));
    made.append(element('span', hasAddress(row) && row[0] !== SEGMENT ? hex(row[4], 8) : '', 'w'));
    made.append(element('span', nameOf(row), 'n'));
    if (drawOf.has(number)) made.append(element('span', draws[drawOf.get(number)].title, 'badge'));
    if (faultOf.has(number)) {
      made.classList.add('fault');
      made.append(element('span', faults[faultOf.get(number)].error, 'badge bad'));
    }
    made.append(element('span', meaningOf(row), 'm'));
    made.addEventListener('click', () => go(`row=${number}`));
    return made;
  };
  // A list that would be too tall is scrolled by more than the browser thinks.
  const whole = () => count() * HEIGHT;
  const tall = () => Math.min(whole(), TALLEST);
  const scale = () => (whole() > TALLEST ? (whole() - list.clientHeight) / (tall() - list.clientHeight) : 1);
  const render = () => {
    room.style.height = `${tall()}px`;
    const top = list.scrollTop * scale();
    const first = Math.max(0, Math.floor(top / HEIGHT) - 8);
    const end = Math.min(count(), first + Math.ceil(list.clientHeight / HEIGHT) + 16);
    const made = [];
    for (let place = first; place < end; place++) made.push(rowElement(rowAt(place), place, list.scrollTop - top));
    room.replaceChildren(...made);
    if (selected >= 0) list.setAttribute('aria-activedescendant', `row${selected}`);
  };
  const reveal = number => {
    room.style.height = `${tall()}px`;
    const top = placeOf(number) * HEIGHT, now = list.scrollTop * scale();
    if (top < now || top > now + list.clientHeight - HEIGHT)
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

  // ---- the panel ----

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
    panel.replaceChildren(element('h2', 'Address'), element('h3', `0x${hex(address)}`),
      element('h2', 'Written by'), part('w'), element('h2', 'Read by'), part('r'), element('h2', 'Named by'), part('n'));
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
    panel.replaceChildren();
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
      ['address', addressLink(fault.address)], ['data', `0x${hex(fault.data)}`], ['word', rowLink(fault.row)]])];
  const changeOf = ([name, before, after, meaning], first) => {
    const made = element('div', name);
    const values = first ? hex(after, 8) : `${hex(before, 8)} → ${hex(after, 8)}`;
    made.append(element('div', `${values}  ${meaning}`, 'change'));
    return made;
  };
  const isLaunch = draw => draw.title.startsWith('launch');
  const showDraw = number => {
    const draw = draws[number];
    panel.replaceChildren(element('h2', isLaunch(draw) ? 'Launch' : 'Draw'), element('h3', draw.title));
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
  const follow = () => {
    const [key, value] = location.hash.slice(1).split('=');
    const number = Number(value);
    if (key === 'row' && rows[number]) {
      if (shown && shown[placeOf(number)] !== number) { search.value = ''; find(); }
      select(number);
      showRow(number);
    } else if (key === 'shown' && draws[number]) {
      if (draws[number].row >= 0) select(draws[number].row);
      showDraw(number);
    } else if (key === 'fault' && faults[number]) {
      if (faults[number].row >= 0) select(faults[number].row);
      panel.replaceChildren(...faultParts(faults[number]));
    } else if (key === 'address' && number >= 0) showAddress(number);
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
    const page = Math.max(1, Math.floor(list.clientHeight / HEIGHT) - 1);
    const steps = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: page, PageUp: -page, Home: -rows.length, End: rows.length };
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target === search) {
      if (event.key === 'Escape') { search.value = ''; find(); list.focus(); }
      if (event.key === 'Enter' && count()) { list.focus(); go(`row=${rowAt(0)}`); }
      return;
    }
    if (event.key === '/') { search.focus(); search.select(); }
    else if (event.key === 'n') drawStep(1);
    else if (event.key === 'p') drawStep(-1);
    else if (event.key in steps && (event.target === list || event.target === document.body)) moveTo(steps[event.key]);
    else return;
    event.preventDefault();
  };

  const start = () => {
    document.title = `${report.capture} – pfifo report`;
    at('title').textContent = report.capture;
    at('facts').textContent = `${report.chip}: ${report.submissions} submissions, ${rows.length} rows, ${draws.length} draws, clears and launches, ` +
      `${report.faultCount} faults`;
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
    panel.replaceChildren(element('p', 'Choose a word, a draw or an address. Keys: / search, j k words, n p draws.'));
    render();
    follow();
  };

  // ---- #test: the page uses itself, and says how that went in <html data-test> ----

  // A list of so many rows that no browser has room for them all.
  const testLong = async (check, settled) => {
    const MOST = 2000000;
    const inView = place => [...room.children].some(made => {
      const { top, bottom } = made.getBoundingClientRect(), view = list.getBoundingClientRect();
      return made.getAttribute('aria-posinset') === String(place + 1) && top >= view.top - 1 && bottom <= view.bottom + 1;
    });
    const comes = async place => {
      for (let tries = 0; tries < 20 && !inView(place); tries++) await settled();
      return inView(place);
    };
    rows.length = MOST;
    rows.fill(rows[0]);
    render();
    list.scrollTop = list.scrollHeight;
    check(await comes(MOST - 1), 'the end of a long list is reached');
    reveal(MOST / 2);
    check(await comes(MOST / 2), 'a row in the middle of a long list is shown');
    reveal(0);
    check(await comes(0), 'the begin of a long list is shown');
  };
  const test = async () => {
    const settled = () => new Promise(done => setTimeout(done, 30));
    const check = (good, what) => { if (!good) throw new Error(what); };
    try {
      check(room.children.length && room.children.length < 200, 'rows are rendered as they are seen');
      const draw = draws.findIndex(one => one.row >= 0 && one.picture);
      const name = methodOf(rows[draws[draw].row]).name;
      search.value = name;
      search.dispatchEvent(new Event('input'));
      check(count() > 0 && count() < rows.length, 'a search finds some rows');
      room.children[0].click();
      await settled();
      check(panel.textContent.includes(name), 'a row is explained');
      document.querySelector(`nav button[data-place="shown=${draw}"]`).click();
      await settled();
      check(panel.querySelector('img').complete && panel.querySelector('img').naturalWidth > 0, 'a draw has a picture');
      check(selected === draws[draw].row, 'a draw leads to its word');
      panel.querySelector('table button').click();
      await settled();
      check(location.hash.startsWith('#address='), 'a target leads to its address');
      panel.querySelector('table button').click();
      await settled();
      check(location.hash.startsWith('#row='), 'an address leads to who wrote it');
      document.dispatchEvent(new KeyboardEvent('keydown', { key: '/' }));
      check(document.activeElement === search, 'a key leads to the search');
      search.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
      check(!shown && document.activeElement === list, 'a key leads back');
      await testLong(check, settled);
      document.documentElement.dataset.test = 'passed';
    } catch (error) {
      document.documentElement.dataset.test = `failed: ${error.message}`;
    }
  };

  const tested = location.hash === '#test';
  start();
  if (tested) test();
})();
