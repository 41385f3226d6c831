import { defineResource } from 'orch/sdk'
import { columns } from './columns.js'
import { PodTemplate } from './schema.js'
import { fillPodTemplate, mainStrategy } from './strategy.js'

export const podTemplates = defineResource({
  group: '',
  kind: 'PodTemplate',
  resource: 'podtemplates',
  namespaced: true,
  versions: [{ name: 'v1', schema: PodTemplate, defaults: fillPodTemplate }],
  strategy: mainStrategy,
  deletion: { answer: 'object' },
  columns,
})
