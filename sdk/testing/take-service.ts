import { definePlugin, defineStartTask, type Plugin } from '../plugin/plugin.js'
import type { ServiceToken } from '../plugin/service-token.js'

/** A service that a test gets from a server that it starts with `plugin`. */
export interface TakenService<T> {
  readonly plugin: Plugin
  /** Throws before the server has started. */
  get(): T
}

/** Lets a test call the service of a plugin, as another plugin with this requirement would get it. */
export function takeService<T>(token: ServiceToken<T>, requires: string): TakenService<T> {
  let taken: { readonly service: T } | undefined
  const task = defineStartTask({
    name: 'take the service',
    needs: { service: token },
    run: ({ service }) => {
      taken = { service: service as T }
    },
  })
  return {
    plugin: definePlugin({ name: 'service-taker', requires: [requires], register: to => to.onStart(task) }),
    get() {
      if (!taken) throw new Error('the server has not started yet')
      return taken.service
    },
  }
}
