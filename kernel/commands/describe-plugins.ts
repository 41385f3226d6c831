import type { ChainLink } from 'orch/sdk/host'
import type { Chain } from '../admission/chain-order.js'
import type { BootedPlugins } from '../boot/boot-plugins.js'
import { kernelName } from '../options/kernel-options.js'
import { inventoryOf } from '../server/inventory.js'
import { lineWidth } from './help-text.js'

/** The enabled plugins with their contributions, and the admission chain in the order it runs. */
export function describePlugins(booted: BootedPlugins, chain: Chain): string {
  const { plugins, admissionChain } = inventoryOf(booted, chain)
  const sections = plugins.map(({ name, brings }) => {
    const lines = Object.entries(brings).flatMap(([title, values]) =>
      wrap(values).map((line, index) => (index === 0 ? title : '').padEnd(titleColumn) + line),
    )
    return lines.length === 0 && name === kernelName ? [] : [name, ...lines.map(line => `  ${line}`), '']
  })
  return [
    `${booted.found.length} plugins, ${booted.registry.resources.length} resource types, vendor ${booted.vendor.name}`,
    '',
    ...sections.flat(),
    'admission chain',
    ...(admissionChain.length === 0 ? ['  (empty)'] : admissionChain.map(oneControl)),
    '',
  ].join('\n')
}

const oneControl = ({ name, phase, plugin }: ChainLink, index: number): string =>
  `  ${String(index + 1).padStart(2)}. ${name} (${phase === 'both' ? 'mutate, validate' : phase}; ${plugin})`

const titleColumn = 15

/** Joins values with commas into lines that fit a terminal; no line for no values. */
function wrap(values: readonly string[]): string[] {
  const lines: string[] = []
  for (const [index, value] of values.entries()) {
    const text = index < values.length - 1 ? `${value},` : value
    const last = lines.at(-1)
    const isRoom = last !== undefined && last.length + text.length < width
    if (isRoom) lines[lines.length - 1] = `${last} ${text}`
    else for (const line of text.length > width ? inTwoLines(text) : [text]) lines.push(line)
  }
  return lines
}
const width = lineWidth - titleColumn - 2

/** Splits a text before its parentheses. */
function inTwoLines(text: string): string[] {
  const at = text.indexOf(' (')
  return at < 0 ? [text] : [text.slice(0, at), ` ${text.slice(at)}`]
}
