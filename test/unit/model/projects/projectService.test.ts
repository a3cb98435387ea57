import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ownServices, setOwnService } from '../../../../src/model/projects/projectList.ts';

describe('the addresses of a project', () => {
  const own = { baseUrl: 'https://api.example', proxyUrl: 'https://run.example' };

  const cases: [what: string, list: unknown, found: unknown][] = [
    ['both', [{ id: 'p-1', ...own }], own],
    [
      'with white space around them and the id',
      [{ id: ' p-1 ', baseUrl: ' https://api.example ' }],
      { baseUrl: 'https://api.example', proxyUrl: '' },
    ],
    [
      'one alone: the other is nobody else’s',
      [{ id: 'p-1', proxyUrl: own.proxyUrl }],
      { baseUrl: '', proxyUrl: own.proxyUrl },
    ],
    ['of an entry that does not fit otherwise', [{ id: 'p-1', apps: 7, ...own }], own],
    ['of the entry that names them', [{ id: 'p-1' }, { id: 'p-1', ...own }], own],
    ['none', [{ id: 'p-1' }], undefined],
    ['empty ones', [{ id: 'p-1', baseUrl: '', proxyUrl: ' ' }], undefined],
    ['what is no text', [{ id: 'p-1', baseUrl: 3, proxyUrl: null }], undefined],
    ['of another project', [{ id: 'p-2', ...own }], undefined],
    ['no list', { 0: { id: 'p-1', ...own } }, undefined],
    ['a list of anything', [null, 'p-1', ['p-1'], 7], undefined],
  ];
  for (const [what, list, found] of cases) {
    it(`are read: ${what}`, () => assert.deepEqual(ownServices(list).get('p-1'), found));
  }

  it('are set, changed and taken away, and nothing else is', () => {
    const list = [{ id: 'p-0', ...own }, 7, { id: 'p-1', name: 'Acme', note: 'mine' }];
    const set = setOwnService(list, { id: 'p-1' }, { baseUrl: own.baseUrl, proxyUrl: '' });
    assert.deepEqual(set, [list[0], 7, { id: 'p-1', name: 'Acme', note: 'mine', baseUrl: own.baseUrl }]);
    assert.deepEqual(setOwnService(set, { id: 'p-1' }, undefined), list);
  });

  it('make an entry where the list has none: the project is of a workspace', () => {
    assert.deepEqual(setOwnService([], { id: 'p-1', name: 'Acme' }, own), [
      { id: 'p-1', name: 'Acme', ...own },
    ]);
    assert.deepEqual(setOwnService([], { id: 'p-1' }, undefined), []);
  });

  it('are read back as they were set, whatever the list holds', () => {
    const address = fc.constantFrom('', own.baseUrl, own.proxyUrl);
    const service = fc.record({ baseUrl: address, proxyUrl: address }, { noNullPrototype: true });
    const entry = fc.oneof(
      fc.anything(),
      fc.record({ id: fc.constantFrom('p-1', ' p-1', 'p-2'), baseUrl: fc.anything(), proxyUrl: address }),
    );
    fc.assert(
      fc.property(fc.array(entry), service, (list, given) => {
        const isSet = given.baseUrl !== '' || given.proxyUrl !== '';
        const after = setOwnService(list, { id: 'p-1' }, given);
        assert.deepEqual(ownServices(after).get('p-1'), isSet ? given : undefined);
        assert.deepEqual(ownServices(after).get('p-2'), ownServices(list).get('p-2'));
      }),
    );
  });
});
