import type { IncomingHttpHeaders } from 'node:http'

export interface SuspectPage {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly title: string
  /** The page's own text, without chrome. */
  readonly text: string
  /** The page asks for a password. */
  readonly hasPasswordField: boolean
}

// A wall says little; an article about walls says a lot (field report G08).
const wallCharacters = 2_000
const bareWallCharacters = 600
const loginCharacters = 500

const walls: readonly { readonly title?: RegExp; readonly text?: RegExp; readonly reason: string }[] = [
  {
    title:
      /just a moment|attention required|checking your browser|ddos.?guard|security check|verify(ing)? (that )?you/i,
    text: /(checking|verifying) (if the site connection is secure|your browser|you are human)|verify (that )?you are (a )?human|prove (that )?you('| a)re (not a robot|human)/i,
    reason: 'shows a bot check',
  },
  {
    title: /captcha|are you a (robot|human)|robot check|human verification|unusual traffic/i,
    text: /(complete|solve) (the|this) captcha|i.?m not a robot|unusual traffic from your/i,
    reason: 'asks for a captcha',
  },
  {
    title:
      /access (to this page )?(is |has been )?denied|^(error )?(403|forbidden)|request blocked|you have been blocked/i,
    text: /you (have been|are) blocked|access (to this page )?(is|has been) denied|blocked by (our|the) (security|firewall)/i,
    reason: 'denies access',
  },
  {
    title: /before you continue|(cookie|privacy) (consent|settings)|we value your privacy/i,
    text: /^.{0,200}(before you continue|we value your privacy|accept (all )?cookies)/is,
    reason: 'asks for consent to cookies',
  },
  {
    title: /^(error )?50[0-4]\b|service unavailable|bad gateway|gateway time-?out|internal server error/i,
    reason: 'shows a server error',
  },
  {
    text: /^.{0,200}(enable|turn on) (javascript|cookies)|javascript (is|must be) (disabled|enabled|required)/is,
    reason: 'shows nothing without JavaScript',
  },
]

/**
 * Why a page is a wall instead of content, as the end of a sentence that begins with its host; undefined for an
 * ordinary page. A page counts as a wall by its words only when it is short.
 */
export function blockedReason(page: SuspectPage): string | undefined {
  if (page.headers['cf-mitigated'] !== undefined) return 'shows a bot check'
  const length = page.text.trim().length
  const wall = walls.find(
    ({ title, text }) =>
      (title?.test(page.title) && length <= wallCharacters) ||
      (text?.test(page.text) && length <= bareWallCharacters),
  )
  if (wall !== undefined) return wall.reason
  if (page.hasPasswordField && length <= loginCharacters) return 'asks for a login'
  return page.status >= 400 ? statusReason(page.status) : undefined
}

function statusReason(status: number): string {
  if (status === 401 || status === 407) return `asks for a login (status ${status})`
  if (status === 429) return 'answers too many requests (status 429)'
  if (status >= 500) return `reports an error of its own (status ${status})`
  return `refused the request (status ${status})`
}
