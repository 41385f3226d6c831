import { ApiError, type StartTask, services } from 'orch/sdk'
import type { NodeNames } from '../names.js'
import { systemClasses } from './system-classes.js'

const needs = { client: services.client }

/** Makes the priority classes that always exist. */
export const ensureSystemClasses = ({ schedulingGroup }: NodeNames): StartTask<typeof needs> => ({
  name: 'system priority classes',
  once: true,
  needs,
  async run({ client }) {
    const classes = client.resource({ group: schedulingGroup, version: 'v1', resource: 'priorityclasses' })
    for (const { name, value, description } of systemClasses) {
      if (await classes.find(name)) continue
      try {
        await classes.create({ metadata: { name }, value, description })
      } catch (error) {
        // Another server of the same store was faster.
        if (!(error instanceof ApiError && error.reason === 'AlreadyExists')) throw error
      }
    }
  },
})
