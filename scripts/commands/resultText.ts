import ts from 'typescript';
import { inOneOrder } from './inOneOrder.ts';

/** Types that the page describes by their names. */
const named = new Set(['Delivery', 'AppSettings', 'Timeline']);
/** What lies deeper is not spelt out. */
const deepest = 3;

/** What a command gives, read off the type of its handler: the compiler has compared the two. */
export class ResultText {
  readonly #checker: ts.TypeChecker;

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker;
  }

  /** Empty for nothing. */
  of(handler: ts.Type): string {
    const [signature] = handler.getCallSignatures();
    const returned = signature?.getReturnType();
    const result = returned && this.#checker.getAwaitedType(returned);
    return result === undefined ? '' : this.#text([result], 0);
  }

  /** @param types what it may be of */
  #text(types: readonly ts.Type[], depth: number): string {
    const flat = types.flatMap((type) => (type.isUnion() ? type.types : [type]));
    const some = flat.filter(({ flags }) => (flags & nothing) === 0);
    const objects = inOneOrder(
      some.filter((type) => this.#isPlainObject(type)),
      this.#checker,
    );
    const texts = new Set(
      some.filter((type) => !objects.includes(type)).map((type) => this.#one(type, depth)),
    );
    if (objects.length > 0) texts.add(depth < deepest ? this.#object(objects, depth) : '{…}');
    if (texts.delete('false')) {
      texts.delete('true');
      texts.add('boolean');
    }
    if (texts.has(anything)) return anything;
    return [...texts].sort().join(' or ');
  }

  #isPlainObject(type: ts.Type): boolean {
    const isObject = (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
    return isObject && !this.#checker.isArrayType(type) && !this.#checker.isTupleType(type) && !hasName(type);
  }

  #one(type: ts.Type, depth: number): string {
    const name = nameOf(type);
    if (name !== undefined && named.has(name)) return name;
    if (type.isStringLiteral()) return `'${type.value}'`;
    if (!this.#checker.isArrayType(type) && !this.#checker.isTupleType(type)) {
      const text = this.#checker.typeToString(type);
      return text === 'unknown' ? anything : text;
    }
    return `[${this.#text(this.#checker.getTypeArguments(type as ts.TypeReference), depth)}]`;
  }

  /** What not all of them have is optional. */
  #object(types: readonly ts.Type[], depth: number): string {
    const [index] = types.map((type) => type.getStringIndexType());
    if (index !== undefined) return `{[name]: ${this.#text([index], depth + 1)}}`;
    const properties = types.flatMap((type) => type.getProperties());
    // Names that come from a union, as those of a record by verdicts do, have no order of their own.
    const isOrdered = properties.every(({ declarations = [] }) => declarations.length > 0);
    const inOrder = properties.map(({ name }) => name);
    const names = new Set(isOrdered ? inOrder : inOrder.sort());
    const members = [...names].map((name) => {
      const found = types.map((type) => type.getProperty(name));
      const symbols = found.filter((symbol) => symbol !== undefined);
      const isAlways = found.every((symbol) => symbol && (symbol.flags & ts.SymbolFlags.Optional) === 0);
      const values = symbols.map((symbol) => this.#checker.getTypeOfSymbol(symbol));
      return `${name}${isAlways ? '' : '?'}: ${this.#text(values, depth + 1)}`;
    });
    return `{${members.join(', ')}}`;
  }
}

const anything = 'any value';
const nothing = ts.TypeFlags.Void | ts.TypeFlags.Undefined | ts.TypeFlags.Never;

function nameOf(type: ts.Type): string | undefined {
  return (type.aliasSymbol ?? type.getSymbol())?.name;
}

function hasName(type: ts.Type): boolean {
  return named.has(nameOf(type) ?? '');
}
