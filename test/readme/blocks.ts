/** What to do with a code block: write it to a file, run it, or start the server that its last line names. */
export type Purpose = 'file' | 'run' | 'serve'

/** A fenced code block of a Markdown text. */
export interface Block {
  /** Where it begins, counted from 1. */
  readonly line: number
  /** The info string after the fence: `ts file=wishes.ts`, `sh run`. */
  readonly info: string
  readonly code: string
  /** Undefined if the block would not be used: then the page must be fixed. */
  readonly purpose: Purpose | undefined
  /** The name of the file, if it is one. */
  readonly file?: string
}

const languagesOfFiles = ['ts', 'yaml', 'json', 'csv']

/** Every fenced block, in order. */
export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = []
  let open: { line: number; fence: string; info: string; code: string[] } | undefined
  for (const [index, text] of markdown.split('\n').entries()) {
    const [, fence = '', info = ''] = /^ *(`{3,}|~{3,})(.*)$/.exec(text) ?? []
    if (open === undefined && fence !== '') open = { line: index + 1, fence, info: info.trim(), code: [] }
    else if (open !== undefined && fence.startsWith(open.fence) && info.trim() === '') {
      const code = open.code.map(line => `${line}\n`).join('')
      blocks.push({ line: open.line, info: open.info, code, ...readInfo(open.info) })
      open = undefined
    } else open?.code.push(text)
  }
  if (open !== undefined) blocks.push({ line: open.line, info: 'never closed', code: '', purpose: undefined })
  return blocks
}

function readInfo(info: string): Pick<Block, 'purpose' | 'file'> {
  if (info === 'sh run') return { purpose: 'run' }
  if (info === 'sh serve') return { purpose: 'serve' }
  const [, language = '', file = ''] = /^(\w+) file=([\w./-]+)$/.exec(info) ?? []
  return languagesOfFiles.includes(language) ? { purpose: 'file', file } : { purpose: undefined }
}

/** The blocks of a page that are not tried, with the reason. */
export function untriedBlocks(markdown: string): string[] {
  const blocks = blocksOf(markdown)
  return blocks.flatMap(block => {
    if (block.purpose === undefined)
      return [
        `line ${block.line}: "${block.info}" is not tried; write "sh run", "sh serve" or "<language> file=<name>"`,
      ]
    if (block.file === undefined || isUsed(block, blocks)) return []
    return [`line ${block.line}: nothing on the page uses ${block.file}`]
  })
}

/** A file is tried when a command names it, the server reads it, or another file that is tried imports it. */
function isUsed({ file = '' }: Block, blocks: readonly Block[]): boolean {
  const stem = file.replace(/\.ts$/, '')
  const others = blocks.filter(block => block.file !== file)
  if (/(^|\/)orch\.config\.ts$/.test(file) && others.some(({ purpose }) => purpose === 'serve')) return true
  return others.some(({ code }) => code.includes(stem))
}

/** The first cells of a table's rows, under the heading of the given text, without their code marks. */
export function firstCells(markdown: string, heading: string): string[] {
  const section = markdown.split(/^## /m).find(part => part.startsWith(heading)) ?? ''
  return [...section.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, cell = '']) => cell)
}
