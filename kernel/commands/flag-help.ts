import type { TSchema } from 'orch/sdk'
import { alternativesOf, choicesOf, type OptionDeclaration, optionKindOf } from '../boot/option-declarations.js'

const descriptionColumn = 44

/** Every flag, under the plugin that declares it, with its default. */
export function flagHelp(declarations: readonly OptionDeclaration[]): string {
  const plugins = [...new Set(declarations.map(declaration => declaration.plugin))]
  const section = (plugin: string) => [plugin, ...declarations.filter(d => d.plugin === plugin).map(oneFlag)].join('\n')
  return plugins.map(section).join('\n\n')
}

function oneFlag({ flag, schema }: OptionDeclaration): string {
  const placeholder = placeholderOf(schema)
  const left = `  --${flag}${placeholder ? ` ${placeholder}` : ''}`
  const description = String(schema.description ?? '')
  const text = [description, defaultOf(schema)].filter(part => part !== '').join(' ')
  if (text === '') return left
  const gap =
    left.length < descriptionColumn ? ' '.repeat(descriptionColumn - left.length) : `\n${' '.repeat(descriptionColumn)}`
  return left + gap + text
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
