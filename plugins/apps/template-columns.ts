import type { Column } from 'orch/sdk'
import { containerNames, imageNames, type PodTemplateSpec, selectorText } from 'orch/sdk/core'

// biome-ignore lint/suspicious/noExplicitAny: columns of different types are made alike
type Cells = Column<any>

/** A column of numbers. */
export const countColumn = (name: string, description: string, cell: Cells['cell']): Cells => ({
  name,
  type: 'integer',
  description,
  cell,
})
/** Numbers in a column of type string, as in the reference. */
export const looseCountColumn = (name: string, description: string, cell: Cells['cell']): Cells => ({
  ...countColumn(name, description, cell),
  type: 'string',
})
/** A column of text. */
export const textColumn = (name: string, description: string, cell: Cells['cell']): Cells => ({
  name,
  type: 'string',
  description,
  cell,
})
const wide = (column: Cells): Cells => ({ ...column, priority: 1 })

interface Templated {
  spec?: { template?: PodTemplateSpec; selector?: Parameters<typeof selectorText>[0] }
}
/** Containers and images of the Pods, in wide tables. */
export const containerColumns: readonly Cells[] = [
  wide(
    textColumn('Containers', 'Names of the containers.', ({ spec }: Templated) => containerNames(spec?.template?.spec)),
  ),
  wide(textColumn('Images', 'Their images.', ({ spec }: Templated) => imageNames(spec?.template?.spec))),
]
/** The labels of the Pods, in wide tables. */
export const selectorColumn: Cells = wide(
  textColumn('Selector', 'Labels of the Pods.', ({ spec }: Templated) => selectorText(spec?.selector) || '<none>'),
)
