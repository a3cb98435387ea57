import ts from 'typescript';

/** The type of an argument or field. */
export type Shape =
  | { kind: 'text' | 'flag' | 'any' | 'null' }
  | { kind: 'number' | 'integer'; minimum?: number; maximum?: number }
  | { kind: 'literal'; value: string | number | boolean }
  | { kind: 'list'; item: Shape }
  | { kind: 'record'; value: Shape }
  | { kind: 'object'; fields: Field[] }
  | { kind: 'oneOf'; options: Shape[] };

export interface Field {
  name: string;
  isOptional: boolean;
  /** The comment above it in its schema, in one line. */
  meaning: string;
  shape: Shape;
}

/**
 * Converts the TypeScript type of a valibot schema to a `Shape`. It reads types because the schemas themselves can only
 * be loaded inside the editor. In a pipe it reads the input, before any transformation.
 */
export class ArgumentShapes {
  readonly #checker: ts.TypeChecker;

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker;
  }

  of(schema: ts.Type): Shape {
    const pipe = this.#member(schema, 'pipe');
    if (pipe !== undefined) return this.#piped(pipe);
    switch (this.#text(schema, 'type')) {
      case 'string':
        return { kind: 'text' };
      case 'number':
        return { kind: 'number' };
      case 'boolean':
        return { kind: 'flag' };
      case 'null':
        return { kind: 'null' };
      case 'literal':
        return this.#literal(this.#member(schema, 'literal'));
      case 'picklist':
        return { kind: 'oneOf', options: this.#elements(schema, 'options').map((one) => this.#literal(one)) };
      case 'union':
      case 'variant':
        return { kind: 'oneOf', options: this.#elements(schema, 'options').map((one) => this.of(one)) };
      case 'array':
        return { kind: 'list', item: this.#inner(schema, 'item') };
      case 'record':
        return { kind: 'record', value: this.#inner(schema, 'value') };
      case 'object':
      case 'strict_object':
      case 'loose_object':
        return { kind: 'object', fields: this.#fields(this.#member(schema, 'entries')) };
      case 'optional':
      case 'exact_optional':
      case 'undefinedable':
        return this.#inner(schema, 'wrapped');
      case 'nullable':
      case 'nullish':
        return { kind: 'oneOf', options: [this.#inner(schema, 'wrapped'), { kind: 'null' }] };
      case 'unknown':
      case 'any':
      case 'custom':
        return any;
      default:
        throw new Error(`Unsupported schema: ${this.#checker.typeToString(schema)}`);
    }
  }

  #piped(pipe: ts.Type): Shape {
    const [first, ...actions] = this.#tuple(pipe);
    const shape = first === undefined ? any : this.of(first);
    if (shape.kind !== 'number') return shape;
    const limits = actions.map((action) => [this.#text(action, 'type'), this.#number(action)] as const);
    const find = (name: string) => limits.find(([type]) => type === name)?.[1];
    const [minimum, maximum] = [find('min_value'), find('max_value')];
    return {
      kind: limits.some(([type]) => type === 'integer' || type === 'safe_integer') ? 'integer' : 'number',
      ...(minimum !== undefined && { minimum }),
      ...(maximum !== undefined && { maximum }),
    };
  }

  #fields(entries: ts.Type | undefined): Field[] {
    return (entries?.getProperties() ?? []).map((property) => {
      const schema = this.#checker.getTypeOfSymbol(property);
      const type = this.#text(schema, 'type') ?? '';
      return {
        name: property.name,
        isOptional: ['optional', 'exact_optional', 'nullish', 'undefinedable'].includes(type),
        meaning: ts
          .displayPartsToString(property.getDocumentationComment(this.#checker))
          .replace(/\s+/g, ' '),
        shape: this.of(schema),
      };
    });
  }

  #inner(schema: ts.Type, name: string): Shape {
    const inner = this.#member(schema, name);
    return inner === undefined ? any : this.of(inner);
  }

  #elements(schema: ts.Type, name: string): readonly ts.Type[] {
    const list = this.#member(schema, name);
    return list === undefined ? [] : this.#tuple(list);
  }

  /** The element types of a tuple, or the members of the union that an array's elements have. */
  #tuple(list: ts.Type): readonly ts.Type[] {
    const elements = this.#checker.getTypeArguments(list as ts.TypeReference);
    if (this.#checker.isTupleType(list)) return elements;
    return elements.flatMap((one) => (one.isUnion() ? sortByText(one.types, this.#checker) : [one]));
  }

  #literal(type: ts.Type | undefined): Shape {
    if (type === undefined) return any;
    if (type.isStringLiteral() || type.isNumberLiteral()) return { kind: 'literal', value: type.value };
    const text = this.#checker.typeToString(type);
    // The list is computed at run time.
    if (text === 'string') return { kind: 'text' };
    return text === 'true' || text === 'false' ? { kind: 'literal', value: text === 'true' } : any;
  }

  #member(type: ts.Type, name: string): ts.Type | undefined {
    const symbol = type.getProperty(name);
    return symbol && this.#checker.getTypeOfSymbol(symbol);
  }

  #text(type: ts.Type, name: string): string | undefined {
    const member = this.#member(type, name);
    return member?.isStringLiteral() === true ? member.value : undefined;
  }

  #number(action: ts.Type): number | undefined {
    const member = this.#member(action, 'requirement');
    return member?.isNumberLiteral() === true ? member.value : undefined;
  }
}

const any: Shape = { kind: 'any' };

/** Types that the page refers to by name. */
const documentedTypes = new Set(['Delivery', 'AppSettings', 'Timeline']);
/** Deeper objects are shown as `{…}`. */
const maxDepth = 3;

/** Describes the result type of a command's handler. */
export class ResultText {
  readonly #checker: ts.TypeChecker;

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker;
  }

  /** Empty for void. */
  of(handler: ts.Type): string {
    const [signature] = handler.getCallSignatures();
    const returned = signature?.getReturnType();
    const result = returned && this.#checker.getAwaitedType(returned);
    return result === undefined ? '' : this.#text([result], 0);
  }

  /** @param types the members of a union */
  #text(types: readonly ts.Type[], depth: number): string {
    const flat = types.flatMap((type) => (type.isUnion() ? type.types : [type]));
    const some = flat.filter(({ flags }) => (flags & emptyTypes) === 0);
    const objects = sortByText(
      some.filter((type) => this.#isPlainObject(type)),
      this.#checker,
    );
    const texts = new Set(
      some.filter((type) => !objects.includes(type)).map((type) => this.#one(type, depth)),
    );
    if (objects.length > 0) texts.add(depth < maxDepth ? this.#object(objects, depth) : '{…}');
    if (texts.delete('false')) {
      texts.delete('true');
      texts.add('boolean');
    }
    if (texts.has(anyValue)) return anyValue;
    return [...texts].sort().join(' or ');
  }

  #isPlainObject(type: ts.Type): boolean {
    const isObject = (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
    return (
      isObject && !this.#checker.isArrayType(type) && !this.#checker.isTupleType(type) && !isDocumented(type)
    );
  }

  #one(type: ts.Type, depth: number): string {
    const name = nameOf(type);
    if (name !== undefined && documentedTypes.has(name)) return name;
    if (type.isStringLiteral()) return `'${type.value}'`;
    if (!this.#checker.isArrayType(type) && !this.#checker.isTupleType(type)) {
      const text = this.#checker.typeToString(type);
      return text === 'unknown' ? anyValue : text;
    }
    return `[${this.#text(this.#checker.getTypeArguments(type as ts.TypeReference), depth)}]`;
  }

  /** Merges object types: a property that one of them lacks becomes optional. */
  #object(types: readonly ts.Type[], depth: number): string {
    const [index] = types.map((type) => type.getStringIndexType());
    if (index !== undefined) return `{[name]: ${this.#text([index], depth + 1)}}`;
    const properties = types.flatMap((type) => type.getProperties());
    // Properties of mapped types, such as a record by verdict, have no declared order.
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

const anyValue = 'any value';
const emptyTypes = ts.TypeFlags.Void | ts.TypeFlags.Undefined | ts.TypeFlags.Never;

function nameOf(type: ts.Type): string | undefined {
  return (type.aliasSymbol ?? type.getSymbol())?.name;
}

function isDocumented(type: ts.Type): boolean {
  return documentedTypes.has(nameOf(type) ?? '');
}

/** Sorts the members of a union, whose order in the compiler depends on earlier queries. */
function sortByText(types: readonly ts.Type[], checker: ts.TypeChecker): ts.Type[] {
  return types
    .map((type) => ({ type, text: checker.typeToString(type) }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ type }) => type);
}
