import { type Column, nameColumn } from 'orch/sdk'
import { containerNames, imageNames, labelsText } from '../pod-spec/texts.js'
import type { PodTemplate } from './schema.js'

export const columns: readonly Column<PodTemplate>[] = [
  nameColumn as Column<PodTemplate>,
  {
    name: 'Containers',
    type: 'string',
    description: 'Names of the containers.',
    cell: ({ template }) => containerNames(template?.spec),
  },
  { name: 'Images', type: 'string', description: 'Their images.', cell: ({ template }) => imageNames(template?.spec) },
  {
    name: 'Pod Labels',
    type: 'string',
    description: 'Labels of the Pods.',
    cell: ({ template }) => labelsText(template?.metadata?.labels),
  },
]
