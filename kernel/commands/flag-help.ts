import type { TSchema } from 'orch/sdk'
import { alternativesOf, choicesOf, type OptionDeclaration, optionKindOf } from '../options/option-declarations.js'
import { twoColumns } from './help-text.js'

const descriptionColumn = 44
const longestPlaceholder = 40

/** Every flag, under the plugin that declares it, with its default. */
export function flagHelp(declarations: readonly OptionDeclaration[]): string {
  const plugins = [...new Set(declarations.map(declaration => declaration.plugin))]
  const section = (plugin: string) => {
    const rows = declarations.filter(d => d.plugin === plugin).map(oneFlag)
    return [plugin, ...twoColumns(rows, descriptionColumn)].join('\n')
  }
  return plugins.map(section).join('\n\n')
}

function oneFlag({ flag, schema }: OptionDeclaration): [name: string, text: string] {
  const choices = placeholderOf(schema)
  const isShort = choices.length <= longestPlaceholder
  const description = [schema.description, isShort ? '' : `One of ${choices.replaceAll('|', ', ')}.`, defaultOf(schema)]
  const placeholder = isShort ? choices : 'text'
  return [`  --${flag}${placeholder ? ` ${placeholder}` : ''}`, description.filter(Boolean).join(' ')]
}

function placeholderOf(schema: TSchema): string {
  const choices = choicesOf(schema)
  if (choices) return choices.join('|')
  const alternatives = alternativesOf(schema)
  if (alternatives) return alternatives.map(placeholderOf).join('|')
  if (schema['format'] === 'duration') return 'duration'
  switch (optionKindOf(schema)) {
    case 'boolean':
      return ''
    case 'number':
      return String(schema['type'])
    case 'list':
      return 'a,b,...'
    case 'map':
      return 'key=value,...'
    case 'text':
      return 'text'
  }
}

function defaultOf(schema: TSchema): string {
  const value: unknown = schema.default
  if (value === undefined) return ''
  if (Array.isArray(value)) return value.length === 0 ? '' : `(default ${value.join(',')})`
  if (typeof value === 'object') return ''
  return `(default ${String(value)})`
}
