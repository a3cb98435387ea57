import assert from 'node:assert/strict';
import { ReadOnce } from '../../../../src/shared/async/loadOnce.ts';

describe('what is read once', () => {
  it('is read once for each change, whoever asks and however often', () => {
    const settings = new ReadOnce();
    let reads = 0;
    const read = () => {
      reads += 1;
      return reads === 1 ? undefined : { reads };
    };
    for (let asked = 0; asked < 1000; asked += 1) assert.equal(settings.of('projects', read), undefined);
    assert.equal(reads, 1);
    settings.forget();
    assert.equal(settings.of('projects', read), settings.of('projects', read));
    assert.notEqual(settings.of('routes', read), settings.of('projects', read));
    assert.equal(reads, 3);
  });
});
