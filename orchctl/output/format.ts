import type { Flags } from '../arguments/flags.js'
import { readFile } from '../read-file.js'
import { UsageError } from '../usage-error.js'

const formWords = [
  'wide',
  'yaml',
  'json',
  'name',
  'jsonpath',
  'jsonpath-as-json',
  'custom-columns',
  'go-template',
] as const
/** How to print; `template` is what follows the `=`. */
export interface Format {
  readonly form: 'table' | (typeof formWords)[number]
  readonly template: string
  /** Whether a missing field of a template is an error. */
  readonly requiresKeys?: boolean
}

/** The format that `-o` and `--template` request; `allowed` are the forms that the command can print. */
export function formatOf(flags: Flags, allowed: readonly Format['form'][] = formWords): Format {
  const template = flags.text('template')
  const output = flags.text('output')
  // --template without -o is a Go template.
  const stated = output || (template === undefined ? undefined : 'go-template')
  const isOpen = template !== undefined && stated !== undefined && !stated.includes('=')
  const format = readFormat(isOpen ? `${stated}=${template}` : stated, allowed)
  return flags.is('allow-missing-template-keys', true) ? format : { ...format, requiresKeys: true }
}

/** Reads the value of `-o`; `allowed` are the forms that the command can print. */
export function readFormat(text: string | undefined, allowed: readonly Format['form'][] = formWords): Format {
  if (text === undefined || text === '') return { form: 'table', template: '' }
  const [, word = '', rest] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? []
  const fromFile = word.endsWith('-file')
  const form = (fromFile ? word.slice(0, -'-file'.length) : word) as Format['form']
  if (!allowed.includes(form)) throw new UsageError(`-o must be one of ${allowed.join(', ')}, not "${text}"`)
  const needsTemplate = Object.hasOwn(examples, form)
  if (needsTemplate && !rest)
    throw new UsageError(`-o ${word} needs more: -o ${word}=${fromFile ? 'FILE' : examples[form]}`)
  return { form, template: fromFile ? columnsOrTemplate(form, readFile(rest ?? '').toString('utf8')) : (rest ?? '') }
}

/** The forms that need a template, and one for each. */
const examples: Readonly<Record<string, string>> = {
  jsonpath: "'{.metadata.name}'",
  'jsonpath-as-json': "'{.metadata.name}'",
  'go-template': "'{{.metadata.name}}'",
  'custom-columns': 'NAME:.metadata.name',
}

/** A file of columns has the headers in its first line and the paths below them. */
function columnsOrTemplate(form: string, text: string): string {
  if (form !== 'custom-columns') return text
  const [headers = [], paths = []] = text
    .split('\n')
    .map(line => line.trim().split(/\s+/))
    .filter(words => words[0] !== '')
  return headers.map((header, index) => `${header}:${paths[index] ?? ''}`).join(',')
}
