// SPDX-License-Identifier: MIT
// A page of pfifo report uses itself, by what is seen and clicked, and says how that went in <html data-test>. Added to the page
// by scripts/report-test, which opens it in a wide window and in one as narrow as a phone.
'use strict';
(() => {
  const at = id => document.getElementById(id);
  const list = at('list'), room = at('room'), panel = at('panel'), search = at('search'), nav = document.querySelector('nav');
  const narrow = innerWidth <= 900;
  const settled = () => new Promise(done => setTimeout(done, 30));
  const check = (good, what) => { if (!good) throw new Error(what); };
  const shows = made => made.getClientRects().length > 0;
  const press = (key, target = document) => target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  const chosen = () => room.querySelector('[aria-selected=true]');
  const visible = made => {
    const { top, bottom } = made.getBoundingClientRect(), view = list.getBoundingClientRect();
    return top >= view.top - 1 && bottom <= view.bottom + 1;
  };

  const testCounts = () => {
    const said = at('facts').textContent, draws = report.draws.filter(draw => draw.title.startsWith('draw '));
    check(!/\b1 \w+s\b/.test(said) && !/\b(0|[2-9]|\d\d+) (submission|row|draw|clear|launch|fault)\b/.test(said),
      `counts have the right nouns: ${said}`);
    check(new RegExp(`\\b${draws.length} draws?\\b`).test(said), `draws are counted without clears: ${said}`);
    check(draws.every((draw, i) => draw.title === `draw ${i}`), 'draws are numbered as draw:N is');
  };
  // A panel that is not needed leaves its room to the list, where all is said in full.
  const testWhole = () => {
    check(panel.hidden && !shows(panel), 'the panel is away while nothing is chosen');
    check(document.documentElement.scrollWidth <= innerWidth, 'the page is as wide as its window');
    check(room.children.length && room.children.length < 200, 'rows are rendered as they are seen');
    for (const row of room.children) {
      check(row.scrollWidth <= row.clientWidth + 1, `a row is whole: ${row.textContent}`);
      check(row.offsetLeft + row.offsetWidth <= list.scrollWidth, `all of a row can be reached: ${row.textContent}`);
      for (const part of row.querySelectorAll('span')) check(part.scrollWidth <= part.clientWidth + 1 &&
        getComputedStyle(part).textOverflow !== 'ellipsis', `a field is whole: ${part.textContent}`);
    }
  };
  const testPlaces = async () => {
    if (!narrow) {
      check(shows(nav) && !shows(at('places')), 'the places are beside the list');
      return;
    }
    check(!shows(nav) && list.clientHeight > innerHeight / 2, 'the list has a narrow window to itself');
    const row = [...room.children].find(made => made.querySelector('.m').textContent);
    check(row.querySelector('.m').getBoundingClientRect().top >= row.querySelector('.n').getBoundingClientRect().bottom - 1,
      'a row has two lines');
    at('places').click();
    await settled();
    check(shows(nav) && at('places').getAttribute('aria-expanded') === 'true', 'the places come when they are asked for');
    nav.querySelector('#submissions button').click();
    await settled();
    check(!shows(nav) && shows(panel), 'a place that is chosen takes their place');
    check(panel.getBoundingClientRect().top >= list.getBoundingClientRect().bottom - 1, 'the panel is below the list');
    check(visible(chosen()), 'the list shows what is chosen beside the panel');
    panel.querySelector('.close').click();
    await settled();
  };
  const testFault = async () => {
    if (!report.faults.length) return;
    const [fault] = report.faults;
    check(location.hash === '#fault=0' && shows(panel), 'the page opens on the first fault');
    check(panel.textContent.includes(fault.error) && panel.textContent.includes(fault.means), 'the panel says what it means');
    if (fault.row >= 0) check(chosen().id === `row${fault.row}` && visible(chosen()), 'its word is in view');
    press('Escape');
    await settled();
    check(!location.hash, 'a key closes the panel');
  };
  const testDraw = async () => {
    const draw = report.draws.findIndex(one => one.row >= 0 && one.picture);
    if (draw < 0) return;
    const name = report.methods[report.rows[report.draws[draw].row][6]].name;
    search.value = name;
    search.dispatchEvent(new Event('input'));
    check(/^\d+ of \d+$/.test(at('matches').textContent) && room.children.length > 0, 'a search finds some rows');
    room.children[0].click();
    await settled();
    check(panel.textContent.includes(name), 'a row is explained');
    nav.querySelector(`button[data-place="shown=${draw}"]`).click();
    await settled();
    check(panel.querySelector('img').complete && panel.querySelector('img').naturalWidth > 0, 'a draw has a picture');
    check(chosen().id === `row${report.draws[draw].row}`, 'a draw leads to its word');
    panel.querySelector('table button').click();
    await settled();
    check(location.hash.startsWith('#address='), 'a target leads to its address');
    panel.querySelector('table button').click();
    await settled();
    check(location.hash.startsWith('#row='), 'an address leads to who wrote it');
  };
  const testKeys = async () => {
    press('/');
    check(document.activeElement === search, 'a key leads to the search');
    press('Escape', search);
    check(!at('matches').textContent && document.activeElement === list, 'a key leads back');
    press('j', list);
    await settled();
    check(location.hash.startsWith('#row=') && shows(panel), 'a key chooses the next row');
  };
  // A list of so many rows that no browser has room for them all.
  const testLong = async () => {
    const MOST = 2000000;
    const inView = place => [...room.children].some(made =>
      made.getAttribute('aria-posinset') === String(place + 1) && visible(made));
    const comes = async place => {
      for (let tries = 0; tries < 20 && !inView(place); tries++) await settled();
      return inView(place);
    };
    report.rows.length = MOST;
    report.rows.fill(report.rows[0]);
    window.dispatchEvent(new Event('resize'));
    list.scrollTop = list.scrollHeight;
    check(await comes(MOST - 1), 'the end of a long list is reached');
    for (const place of [MOST / 2, 0]) {
      location.hash = `row=${place}`;
      check(await comes(place), `row ${place} of a long list is shown`);
    }
  };

  const test = async () => {
    let said = 'passed';
    try {
      await testFault();
      testCounts();
      testWhole();
      await testPlaces();
      await testDraw();
      await testKeys();
      await testLong();
    } catch (error) {
      said = `failed: ${error.message}`;
    }
    document.documentElement.dataset.test = said;
    if (parent !== window) parent.postMessage(said, '*');
  };
  test();
})();
