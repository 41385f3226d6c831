import {
  ageColumn,
  type Column,
  defineResource,
  nameColumn,
  strategyForSpec,
  strategyForStatus,
  type Vendor,
} from 'orch/sdk'
import { log } from './log.js'
import { options } from './options.js'
import { Plugin } from './schema.js'
import { validatePlugin } from './validation.js'

const statusOf = ({ status }: Plugin, type: string): string =>
  status?.conditions?.find(condition => condition.type === type)?.status ?? 'Unknown'

const columns: readonly Column<Plugin>[] = [
  { name: 'Package', type: 'string', description: 'The package.', cell: ({ spec }) => spec?.package ?? '' },
  { name: 'Version', type: 'string', description: 'Its version.', cell: ({ status }) => status?.version ?? '' },
  { name: 'Loaded', type: 'string', description: 'Whether it is loaded.', cell: plugin => statusOf(plugin, 'Loaded') },
  {
    name: 'Healthy',
    type: 'string',
    description: 'Whether the specified version is loaded and healthy.',
    cell: plugin => statusOf(plugin, 'Healthy'),
  },
]

const version = 'v1alpha1'
export const pluginCollection = (vendor: Vendor) => ({ group: vendor.group('plugins'), version, resource: 'plugins' })

export const plugins = (vendor: Vendor) =>
  defineResource({
    group: vendor.group('plugins'),
    kind: 'Plugin',
    resource: 'plugins',
    namespaced: false,
    // Alpha versions are off by default; this one is on, because the plugin is inactive unless a folder is configured.
    versions: [{ name: version, schema: Plugin, served: true }],
    strategy: strategyForSpec<Plugin>({ validate: validatePlugin, validateUpdate: validatePlugin }),
    subresources: { status: { kind: 'update', strategy: strategyForStatus<Plugin>() }, log, options },
    columns: [nameColumn, ...columns, ageColumn],
  })
