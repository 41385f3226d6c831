import { type Static, Type } from 'orch/sdk'

/** Flags of `orch controllers` in addition to the options of the kernel and the plugins. */
export const ControllersOptions = Type.Object({
  clientConfig: Type.Optional(
    Type.String({
      minLength: 1,
      description: "Client config of the server; by default the one that the vendor's environment variable names.",
    }),
  ),
  context: Type.Optional(
    Type.String({ minLength: 1, description: 'Context of the client config; its current one by default.' }),
  ),
})
export type ControllersOptions = Static<typeof ControllersOptions>

/** The name under which these options appear in messages and in --help. */
export const controllersName = 'controllers'
