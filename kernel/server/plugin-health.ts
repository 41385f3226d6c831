import type { RootContainer } from '../container/root-container.js'
import { errorMessage } from '../contracts/boot-errors.js'
import type { ControlLoops } from '../loops/control-loops.js'
import { checkLimitMs } from '../observe/health.js'
import { inTime } from '../observe/in-time.js'
import type { Registry } from '../registry/registry.js'

export interface HealthOfPlugins {
  readonly registry: Registry
  readonly root: RootContainer
  readonly loops: Pick<ControlLoops, 'isRestarting'>
}

/** The problems of a loaded plugin: failing health checks, and control loops that do not run. */
export async function problemsOfPlugin(plugin: string, { registry, root, loops }: HealthOfPlugins): Promise<string[]> {
  const checks = registry.healthChecks.filter(each => each.plugin === plugin)
  const failing = await Promise.all(
    checks.map(async ({ definition }): Promise<string[]> => {
      try {
        const needed = root.scopeOf(plugin).resolve(definition.needs)
        await inTime(checkLimitMs, Promise.resolve(definition.check?.(needed)))
        return []
      } catch (thrown) {
        return [`health check "${definition.name}" fails: ${errorMessage(thrown)}`]
      }
    }),
  )
  const hasLoops = registry.controllers.some(each => each.plugin === plugin)
  const restarting = hasLoops && loops.isRestarting ? ['a control loop failed, and all of them are restarting'] : []
  return [...failing.flat(), ...restarting]
}
