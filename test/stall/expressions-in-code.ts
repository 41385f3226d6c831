import { type AnyNode, parse } from 'acorn'
import { full } from 'acorn-walk'

/** A regular expression and where it stands. */
export interface Expression {
  readonly source: string
  readonly flags: string
  readonly file: string
}

/** What one compiled file holds. */
export interface ExpressionsInFile {
  /** Literals, constant arguments of `RegExp`, and the `pattern` of schemas. */
  readonly expressions: readonly Expression[]
  /** Calls `RegExp` with parts that are known only when it runs. */
  readonly buildsSome: boolean
}

/** Every regular expression that compiled JavaScript states, also those inside the holes of templates. */
export function expressionsInCode(code: string, file: string): ExpressionsInFile {
  const expressions: Expression[] = []
  let buildsSome = false
  const add = (source: string, flags: string) => expressions.push({ source, flags, file })
  full(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), node => {
    const one = node as AnyNode
    if (one.type === 'Literal' && one.regex) add(one.regex.pattern, one.regex.flags)
    else if (one.type === 'Property' && isPattern(one.key)) {
      const pattern = textOf(one.value)
      // Schemas are compiled with the flag u.
      if (pattern !== undefined) add(pattern, 'u')
    } else if (one.type === 'NewExpression' || one.type === 'CallExpression') {
      if (one.callee.type !== 'Identifier' || one.callee.name !== 'RegExp') return
      const [source, flags] = one.arguments.map(textOf)
      if (source === undefined || (one.arguments.length > 1 && flags === undefined)) buildsSome = true
      else add(source, flags ?? '')
    }
  })
  return { expressions, buildsSome }
}

const isPattern = (key: AnyNode) => textOf(key) === 'pattern' || (key.type === 'Identifier' && key.name === 'pattern')

function textOf(node: AnyNode | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0)
    return node.quasis[0]?.value.cooked ?? undefined
  return undefined
}

/** The expressions that modules build of parts while they are imported. */
export async function expressionsBuiltBy(modules: readonly { file: string; url: string }[]): Promise<Expression[]> {
  // Libraries are loaded first, because their expressions do not count.
  for (const { url } of modules) await import(url)
  const found: Expression[] = []
  let file = ''
  const original = globalThis.RegExp
  const remember = (made: RegExp) => {
    found.push({ source: made.source, flags: made.flags, file })
    return made
  }
  globalThis.RegExp = new Proxy(original, {
    construct: (target, [source, flags]) => remember(new target(source, flags)),
    apply: (target, _this, [source, flags]) => remember(target(source, flags)),
  })
  try {
    for (const module of modules) {
      file = module.file
      // Imported anew: it may have built its expressions before anybody listened.
      await import(`${module.url}?built`)
    }
  } finally {
    globalThis.RegExp = original
  }
  return found
}
