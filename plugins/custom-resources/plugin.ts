import { definePlugin, type FeatureGate, parseDuration } from 'orch/sdk'
import { definitionController } from './control/definition-controller.js'
import { removeObjectsOfDefinitions } from './control/remove-objects.js'
import { customResourceDefinitions } from './definitions/resource.js'
import { StoredVersions } from './definitions/versions-in-use.js'
import { customResourceDifferences } from './differences.js'
import { featuresOf } from './features.js'
import { customResourceNames } from './names.js'
import { CustomResourceOptions } from './options.js'
import { schemaRulesService } from './rules/service.js'
import { ValidationThread } from './schemas/validation-thread.js'
import { customTypes, definitionChecks, fillDefinitionCache } from './serving/type-source.js'

export { conformance } from './conformance.js'

const gates = {
  CRDValidationRatcheting: {
    stage: 'stable',
    description: 'Updates may keep invalid values that they do not change.',
  },
  CRDObservedGenerationTracking: {
    stage: 'beta',
    description: 'The status of a definition and its conditions may name the generation that they were set for.',
  },
  CustomResourceFieldSelectors: { stage: 'stable', description: 'Field selectors may name fields of custom objects.' },
} as const satisfies Readonly<Record<string, FeatureGate>>

export const customResources = definePlugin({
  name: 'custom-resources',
  requires: ['webhooks'],
  options: CustomResourceOptions,
  gates,
  differences: customResourceDifferences,
  register(to, { vendor, options, isEnabled }) {
    const names = customResourceNames(vendor)
    const features = featuresOf(vendor, isEnabled)
    const thread = new ValidationThread({
      maxWork: options.maxValidationWork,
      maxCpuMs: parseDuration(options.maxValidationCpuTime),
    })
    const storedVersions = new StoredVersions(names)
    to.resource(customResourceDefinitions(names, features, vendor.level, thread, storedVersions.of))
    to.typeSource(customTypes(names, features, thread))
    to.service(schemaRulesService(names))
    to.controller(definitionController(names, features))
    to.onStart(fillDefinitionCache(names), storedVersions.startTask, removeObjectsOfDefinitions(names), {
      name: 'validation thread',
      run: () => () => thread.close(),
    })
    to.healthCheck(...definitionChecks(names))
  },
})
