import type { ResourceDefinition } from 'orch/sdk'
import { serviceNameOf } from 'orch/sdk/host'
import type { BootedPlugins } from '../boot/boot-plugins.js'
import { isControllerOn } from '../boot/start-plugins.js'
import { kernelName } from '../options/kernel-options.js'
import type { Contribution, Registry } from '../registry/registry.js'
import { lineWidth } from './help-text.js'

type Admissions = Registry['admissions']

/** What is enabled, what each plugin contributes, and the chain a write passes, in the order it runs. */
export function describePlugins(booted: BootedPlugins, chain: Admissions): string {
  const { registry } = booted
  const names = [kernelName, ...booted.plugins.map(plugin => plugin.name)]
  const sections = names.map(name => {
    const lines = contributionsOf(name, booted, new Set(chain.map(c => c.definition.name)))
    return lines.length === 0 && name === kernelName ? [] : [name, ...lines.map(line => `  ${line}`), '']
  })
  return [
    `${booted.plugins.length} plugins, ${registry.resources.length} resource types, vendor ${booted.vendor.name}`,
    '',
    ...sections.flat(),
    'admission chain',
    ...(chain.length === 0 ? ['  (empty)'] : chain.map(oneControl)),
    '',
  ].join('\n')
}

const oneControl = ({ plugin, definition }: Admissions[number], index: number): string =>
  `  ${String(index + 1).padStart(2)}. ${definition.name} (${definition.phase === 'both' ? 'mutate, validate' : definition.phase}; ${plugin})`

function contributionsOf(plugin: string, booted: BootedPlugins, inChain: ReadonlySet<string>): string[] {
  const { registry, declarations, kernelOptions } = booted
  const requires = booted.plugins.find(candidate => candidate.name === plugin)?.requires ?? []
  const of = <D>(list: readonly Contribution<D>[], name: (definition: D) => string) =>
    list.filter(contribution => contribution.plugin === plugin).map(contribution => name(contribution.definition))
  const isOn = (name: string, enabledByDefault = true) =>
    isControllerOn(name, enabledByDefault, kernelOptions.controllers)
  const offMark = (name: string, on: boolean) => (on ? name : `${name} (off)`)
  const rows: [string, readonly string[]][] = [
    ['requires', requires],
    ['resources', of(registry.resources, oneResource)],
    ['subresources', of(registry.subresources, d => `${d.resource}/${d.name}`)],
    ['admission', of(registry.admissions, d => offMark(d.name, inChain.has(d.name)))],
    ['authenticators', of(registry.authenticators, d => d.name)],
    ['authorizers', of(registry.authorizers, d => d.mode)],
    ['controllers', of(registry.controllers, d => offMark(d.name, isOn(d.name, d.enabledByDefault)))],
    ['storage', of(registry.storages, d => d.name)],
    ['health checks', of(registry.healthChecks, d => d.name)],
    ['routes', of(registry.routes, d => d.path)],
    ['commands', of(registry.commands, d => d.name)],
    ['services', of(registry.services, d => serviceNameOf(d.token))],
    ['start tasks', of(registry.startTasks, d => d.name)],
    ['flags', plugin === kernelName ? [] : declarations.filter(d => d.plugin === plugin).map(d => `--${d.flag}`)],
  ]
  return rows.flatMap(([title, values]) =>
    wrap(values).map((line, index) => (index === 0 ? title : '').padEnd(titleColumn) + line),
  )
}

const titleColumn = 15

/** Joins values with commas into lines that a terminal shows whole; no line for no values. */
function wrap(values: readonly string[]): string[] {
  const lines: string[] = []
  for (const [index, value] of values.entries()) {
    const text = index < values.length - 1 ? `${value},` : value
    const last = lines.at(-1)
    const isRoom = last !== undefined && last.length + text.length < lineWidth - titleColumn - 2
    if (isRoom) lines[lines.length - 1] = `${last} ${text}`
    else lines.push(text)
  }
  return lines
}

const oneResource = ({ group, resource, versions }: ResourceDefinition): string =>
  `${group ? `${resource}.${group}` : resource} (${versions.map(version => version.name).join(', ')})`
