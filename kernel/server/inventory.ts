import type { ResourceDefinition } from 'orch/sdk'
import type { ServerInventory } from 'orch/sdk/host'
import { serviceNameOf } from 'orch/sdk/host'
import { type Chain, orderChain } from '../admission/chain-order.js'
import type { BootedPlugins } from '../boot/boot-plugins.js'
import { isControllerOn } from '../boot/start-plugins.js'
import { permissionTexts } from '../contracts/permission-texts.js'
import { kernelName } from '../options/kernel-options.js'
import type { Contribution } from '../registry/registry.js'

/** The enabled plugins with their contributions, and the admission chain. The kernel is the first of the plugins. */
export function inventoryOf(booted: BootedPlugins, chain: Chain): ServerInventory {
  const inChain = namesOf(chain)
  return {
    plugins: [kernelName, ...booted.found.map(({ definition }) => definition.name)].map(name => ({
      name,
      brings: contributionsOf(name, booted, inChain),
    })),
    admissionChain: chain.map(({ plugin, definition: { name, phase } }) => ({ name, phase, plugin })),
  }
}

/** The contributions of a plugin, by kind. */
export function contributionsOf(
  plugin: string,
  booted: BootedPlugins,
  inChain: ReadonlySet<string> = namesOf(orderChain(booted.registry.admissions, booted.kernelOptions)),
): Record<string, string[]> {
  const { registry, declarations, kernelOptions } = booted
  const { definition, isolated } = booted.found.find(candidate => candidate.definition.name === plugin) ?? {}
  const of = <D>(list: readonly Contribution<D>[], name: (definition: D) => string) =>
    list.filter(contribution => contribution.plugin === plugin).map(contribution => name(contribution.definition))
  const isOn = (name: string, enabledByDefault = true) =>
    isControllerOn(name, enabledByDefault, kernelOptions.controllers)
  const offMark = (name: string, on: boolean) => (on ? name : `${name} (off)`)
  const rows: Record<string, readonly string[]> = {
    requires: definition?.requires ?? [],
    sdk:
      typeof definition?.sdk === 'object'
        ? Object.entries(definition.sdk).map(pair => pair.join(' '))
        : [definition?.sdk ?? []].flat(),
    proposed: definition?.proposed ?? [],
    isolation: isolated ? ['worker'] : [],
    permissions: permissionTexts(definition?.permissions ?? {}),
    resources: of(registry.resources, oneResource),
    subresources: of(registry.subresources, d => `${d.resource}/${d.name}`),
    admission: of(registry.admissions, d => offMark(d.name, inChain.has(d.name))),
    authenticators: of(registry.authenticators, d => d.name),
    authorizers: of(registry.authorizers, d => d.mode),
    controllers: of(registry.controllers, d => offMark(d.name, isOn(d.name, d.enabledByDefault))),
    storage: of(registry.storages, d => d.name),
    'health checks': of(registry.healthChecks, d => d.name),
    routes: of(registry.routes, d => d.path),
    commands: of(registry.commands, d => d.name),
    'console pages': of(registry.consolePages, d => d.name),
    services: of(registry.services, d => serviceNameOf(d.token)),
    'start tasks': of(registry.startTasks, d => d.name),
    'start notices': of(registry.startNotices, d => d.name),
    flags: plugin === kernelName ? [] : declarations.filter(d => d.plugin === plugin).map(d => `--${d.flag}`),
  }
  return Object.fromEntries(
    Object.entries(rows)
      .filter(([, values]) => values.length > 0)
      .map(([title, values]) => [title, [...values]]),
  )
}

const namesOf = (chain: Chain) => new Set(chain.map(({ definition }) => definition.name))

const oneResource = ({ group, resource, versions }: ResourceDefinition): string =>
  `${group ? `${resource}.${group}` : resource} (${versions.map(version => version.name).join(', ')})`
