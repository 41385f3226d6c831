/** The parts of a source file. */
export interface ScannedCode {
  /** The code without comments. */
  readonly code: string
  /** The same without the contents of templates. */
  readonly statements: string
  /** The contents of string literals and of the fixed parts of templates. */
  readonly literals: readonly string[]
}

/** After these a slash begins a regular expression; after anything else it divides. */
const beforeRegExp = /(^|[([{,;=:!&|?+\-*%<>~^]|\b(return|case|typeof|in|of|void))\s*$/

/** Separates code, comments and literals. Parses just enough of the language for that. */
export function scanCode(text: string): ScannedCode {
  const literals: string[] = []
  let code = ''
  let statements = ''
  let at = 0
  const takeUntil = (end: RegExp): string => {
    end.lastIndex = at
    const match = end.exec(text)
    const stop = match ? match.index + match[0].length : text.length
    const taken = text.slice(at, stop)
    at = stop
    return taken
  }
  while (at < text.length) {
    if (text.startsWith('//', at)) takeUntil(/(?=\n)|$/g)
    else if (text.startsWith('/*', at)) takeUntil(/\*\//g)
    else if (text[at] === "'" || text[at] === '"' || text[at] === '`') {
      const quote = text[at++]
      const literal = takeUntil(new RegExp(`(?<!\\\\)(?:\\\\\\\\)*${quote}`, 'g'))
      literals.push(literal.slice(0, -1))
      code += `${quote}${literal}`
      statements += quote === '`' ? '``' : `${quote}${literal}`
    } else if (text[at] === '/' && beforeRegExp.test(code)) {
      at++
      const expression = `/${takeUntil(/(?<!\\)(?:\\\\)*\/|\n/g)}`
      code += expression
      statements += expression
    } else {
      code += text[at]
      statements += text[at++]
    }
  }
  return { code, statements, literals }
}
