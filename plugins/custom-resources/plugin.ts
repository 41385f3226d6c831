import { definePlugin, parseDuration } from 'orch/sdk'
import { definitionController } from './control/definition-controller.js'
import { removeObjectsOfDefinitions } from './control/remove-objects.js'
import { customResourceDefinitions } from './definitions/resource.js'
import { StoredVersions } from './definitions/versions-in-use.js'
import { expressionService } from './expressions/service.js'
import { customResourceNames } from './names.js'
import { CustomResourceOptions } from './options.js'
import { ValidationThread } from './schemas/validation-thread.js'
import { customTypes, definitionChecks, definitionsKnown } from './serving/type-source.js'

export { conformance } from './conformance.js'

export const customResources = definePlugin({
  name: 'custom-resources',
  requires: ['webhooks'],
  options: CustomResourceOptions,
  register(to, { vendor, options }) {
    const names = customResourceNames(vendor)
    const thread = new ValidationThread({
      maxWork: options.maxValidationWork,
      maxCpuMs: parseDuration(options.maxValidationCpuTime),
    })
    const storedVersions = new StoredVersions(names)
    to.resource(customResourceDefinitions(names, thread, storedVersions.of))
    to.typeSource(customTypes(names, thread))
    to.service(expressionService(names))
    to.controller(definitionController(names))
    to.onStart(definitionsKnown(names), storedVersions.known, removeObjectsOfDefinitions(names), {
      name: 'validation thread',
      run: () => () => thread.close(),
    })
    to.healthCheck(...definitionChecks(names))
  },
})
