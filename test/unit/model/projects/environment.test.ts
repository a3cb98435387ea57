import assert from 'node:assert/strict';
import { isProduction } from '../../../../src/model/projects/environment.ts';
import { keepProduction } from '../../../../src/model/projects/listedProjects.ts';

/** Calls under these ask first: they are production, or may be. */
const asking = [
  ...['prod', 'production', 'PROD', 'Production', ' prod ', 'prd', 'PRD-EU', 'live', 'Live', 'eu-live'],
  ...['prod-eu', 'eu-prod', 'prod_eu', 'prod.eu', 'prod eu', 'eu/prod', 'prod1', 'prod-2', 'production_2'],
  ...['euProd', 'prodEU', 'EUPROD', 'prodeu', 'us-east-1-prod', 'ＰＲＯＤ', 'our production', 'prods'],
  // Whoever copies production may have its data.
  ...['prod-test', 'prod-copy', 'prod-like', 'staging-for-prod', 'dev+prod', 'preprod and prod'],
  ...['Produktion', 'producción', 'produção', 'productie', 'produzione', '本番', '本番環境'],
  // `no` may be Norway.
  ...['non-eu-prod', 'no-prod', 'not dev but prod', 'reprod'],
];

/** Calls under these do not. */
const quiet = [
  ...[
    '',
    ' ',
    'dev',
    'development',
    'staging',
    'stage',
    'test',
    'qa',
    'uat',
    'sandbox',
    'demo',
    'local',
    'ci',
  ],
  ...['non-prod', 'nonprod', 'NonProd', 'non production', 'not-production', 'notProd', 'NON_PROD'],
  ...['preprod', 'pre-prod', 'preproduction', 'pre-production', 'PreProd', 'pre-live', 'preprd'],
  ...['product-dev', 'products', 'produce', 'producer', 'productivity', 'reproduction', 'repro'],
  ...['delivery', 'alive', 'olive', 'livestream', 'pro', 'prototype', 'approved'],
];

describe('what is production', () => {
  for (const name of asking) it(`"${name}" asks`, () => assert.equal(isProduction(name), true));
  for (const name of quiet) it(`"${name}" does not ask`, () => assert.equal(isProduction(name), false));

  it('is nothing without a name', () => assert.equal(isProduction(undefined), false));
});

describe('an account that the user calls production', () => {
  const project = (environment?: string) => ({
    id: 'p-1',
    serviceAccounts: [{ id: 'sa-1', ...(environment !== undefined && { environment }) }],
    apps: [],
  });

  it('stays that, whatever a workspace calls it', () => {
    for (const name of ['prod', 'eu-prod', 'live']) {
      for (const other of ['dev', '', undefined, 'preprod']) {
        assert.deepEqual(keepProduction([project(other)], [project(name)]), [project(name)]);
      }
    }
  });

  it('is what a workspace says where the user calls it otherwise', () => {
    assert.deepEqual(keepProduction([project('prod')], [project('dev')]), [project('prod')]);
    assert.deepEqual(keepProduction([project('dev')], [project('preprod')]), [project('dev')]);
  });
});
