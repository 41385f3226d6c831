import { ageColumn, type Column, defineResource, nameColumn } from 'orch/sdk'
import { fillSize, mainStrategy, statusStrategy } from './rules.js'
import { scale } from './scale.js'
import { group, Widget } from './schema.js'

const own: Column<Widget>[] = [
  { name: 'Color', type: 'string', description: 'The paint.', cell: ({ spec }) => spec.color ?? '' },
  { name: 'Size', type: 'integer', description: 'Desired size.', cell: ({ spec }) => spec.size ?? 0 },
  { name: 'Assembled', type: 'integer', description: 'Current size.', cell: ({ status }) => status?.assembled ?? 0 },
]

export const widgets = defineResource({
  group,
  kind: 'Widget',
  resource: 'widgets',
  shortNames: ['wd'],
  namespaced: true,
  versions: [{ name: 'v1', schema: Widget, defaults: fillSize }],
  strategy: mainStrategy,
  subresources: { status: { kind: 'update', strategy: statusStrategy }, scale },
  selectableFields: { 'spec.color': ({ spec }: Widget) => spec.color ?? '' },
  columns: [nameColumn, ...own, ageColumn],
})
