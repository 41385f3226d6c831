import { type Column, defineResource, type IsGateEnabled, nameColumn, type ServedLevel, type Strategy } from 'orch/sdk'
import {
  containerNames,
  defaultPodSpec,
  imageNames,
  labelsText,
  preparePodTemplate,
  templateWarnings,
  validatePodTemplate,
} from 'orch/sdk/core'
import { PodTemplate } from './schema.js'

function fillPodTemplate({ template }: PodTemplate, level: ServedLevel, isEnabled?: IsGateEnabled): void {
  if (template?.spec) defaultPodSpec(template.spec, level, isEnabled)
}

const mainStrategy = {
  prepareForCreate(draft, { vendor }) {
    preparePodTemplate(draft.template, undefined, vendor)
  },
  prepareForUpdate(draft, stored, { vendor }) {
    preparePodTemplate(draft.template, stored.template, vendor)
  },
  validate: ({ template = {} }, { vendor }) => validatePodTemplate(template, 'template', vendor),
  validateUpdate: ({ template = {} }, stored, { vendor }) =>
    validatePodTemplate(template, 'template', vendor, stored.template),
  warnings: ({ metadata, template }, stored, { vendor }) =>
    templateWarnings(template, 'template', { sent: metadata, stored: stored?.metadata, vendor }),
  metadataChecks: { change: 1, object: 0 },
} satisfies Strategy<PodTemplate>

const columns: readonly Column<PodTemplate>[] = [
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

export const podTemplates = defineResource({
  group: '',
  kind: 'PodTemplate',
  resource: 'podtemplates',
  namespaced: true,
  versions: [{ name: 'v1', schema: PodTemplate, defaults: fillPodTemplate }],
  generation: ['template'],
  strategy: mainStrategy,
  deletion: { answer: 'object' },
  columns,
})
