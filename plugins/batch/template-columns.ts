import type { Column } from 'orch/sdk'
import { containerNames, imageNames, selectorText } from 'orch/sdk/core'
import type { JobSpec } from './jobs/schema.js'

// biome-ignore lint/suspicious/noExplicitAny: columns of two types are made alike
type Cells = Column<any>

/** A column of text. */
export const textColumn = (name: string, description: string, cell: Cells['cell']): Cells => ({
  name,
  type: 'string',
  description,
  cell,
})

/** Columns about the Pods of a job, in wide tables. */
export const podColumns = <T>(specOf: (object: T) => JobSpec | undefined): Cells[] =>
  [
    textColumn('Containers', 'Names of the containers.', object => containerNames(specOf(object)?.template?.spec)),
    textColumn('Images', 'Their images.', object => imageNames(specOf(object)?.template?.spec)),
    textColumn('Selector', 'Labels of the Pods.', object => selectorText(specOf(object)?.selector) || '<none>'),
  ].map(column => ({ ...column, priority: 1 }))
