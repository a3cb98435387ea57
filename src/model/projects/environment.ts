import type { Project } from './project.ts';

/** Words that begin or end like production's, and are others. */
const others = /^(?:products?|produces?|producers?|producing|productivity|reproduction)$/;

/**
 * Whether an environment is production, as its name says: then calls under its accounts ask first, and it is shown in
 * a colour of its own. This is the one place that decides it.
 *
 * A name is read word by word. A word names production where it is `live`, or begins or ends with `prod`, `production`
 * or `prd`: prod-eu, EU_PROD, production2, Produktion. It does not after `pre`, `non` or `not`, written together
 * or apart, nor where it is another word: preprod, non-prod, product-dev, reproduction. Where a name says both, as
 * prod-test does, or is not understood beyond that, it counts as production: a question too many does no harm.
 */
export function isProduction(environment: string | undefined): boolean {
  const words = wordsOf(environment ?? '');
  return words.some((word, at) => namesProduction(word) && !/^(?:pre|non|not)$/.test(words[at - 1] ?? ''));
}

function namesProduction(word: string): boolean {
  if (others.test(word) || /^(?:pre|non|not)(?:prod|prd|live)/.test(word)) return false;
  // guard: that may be production by its name, asks
  return word === 'live' || /^(?:prod|prd)|(?:prod|prd|production)$|本番/.test(word);
}

/** In lower case: what stands between digits and signs, `euProd` being two. */
function wordsOf(name: string): string[] {
  const apart = name.normalize('NFKC').replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
  return apart.toLowerCase().match(/\p{L}+/gu) ?? [];
}

/** The projects with each label of production that the user gave: a workspace cannot take it away. */
export function keepProduction(projects: readonly Project[], ofUser: readonly Project[]): Project[] {
  return projects.map((project) => {
    const own = ofUser.filter(({ id }) => id === project.id).flatMap((one) => one.serviceAccounts);
    const serviceAccounts = project.serviceAccounts.map((account) => {
      const label = own.find(({ id, environment }) => id === account.id && isProduction(environment));
      return label?.environment === undefined ? account : { ...account, environment: label.environment };
    });
    return { ...project, serviceAccounts };
  });
}
