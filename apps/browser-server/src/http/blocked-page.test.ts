import { expect, it } from 'vitest'
import { blockedReason, type SuspectPage } from './blocked-page.js'

const page = (given: Partial<SuspectPage>): SuspectPage => ({
  status: 200,
  headers: {},
  title: 'A page',
  text: 'Some text of a page. '.repeat(20),
  hasPasswordField: false,
  ...given,
})
const article = 'A long article about walls, checks and captchas. Just a moment. Access denied. '.repeat(70)

it.each<[string, Partial<SuspectPage>, RegExp]>([
  ['a challenge header', { headers: { 'cf-mitigated': 'challenge' }, text: article }, /bot check/],
  [
    'a challenge with 403',
    { status: 403, title: 'Just a moment...', text: 'Enable JavaScript and cookies to continue' },
    /bot check/,
  ],
  ['a challenge with 200', { title: 'Just a moment...', text: 'Verifying you are human.' }, /bot check/],
  [
    'a challenge without a telling title',
    { title: 'example.org', text: 'Checking your browser before accessing example.org.' },
    /bot check/,
  ],
  ['a captcha', { title: 'Robot check', text: 'Type the characters you see.' }, /captcha/],
  [
    'unusual traffic',
    { title: 'Sorry', text: 'Our systems have detected unusual traffic from your network.' },
    /captcha/,
  ],
  ['a denial', { status: 200, title: 'Access Denied', text: 'Reference #18.2' }, /denies access/],
  [
    'a consent page',
    { title: 'Before you continue', text: 'We use cookies and data. Accept all. Reject all.' },
    /consent/,
  ],
  ['a server error with 200', { title: '502 Bad Gateway', text: 'nginx' }, /server error/],
  [
    'a page for scripts only',
    { title: 'App', text: 'You need to enable JavaScript to run this app.' },
    /JavaScript/,
  ],
  ['a login', { title: 'Sign in', text: 'User Password Sign in', hasPasswordField: true }, /login/],
  ['401', { status: 401 }, /login.*401/],
  ['403', { status: 403, text: article }, /refused.*403/],
  ['429', { status: 429 }, /too many requests/],
  ['503', { status: 503 }, /error of its own.*503/],
])('takes %s for a wall', (_name, given, reason) => {
  expect(blockedReason(page(given))).toMatch(reason)
})

it.each<[string, Partial<SuspectPage>]>([
  ['an ordinary page', {}],
  ['a long article that mentions the phrases', { text: article }],
  [
    'a long article that is called like a wall',
    { title: 'Just a moment: how bot checks work', text: article },
  ],
  [
    'a manual page on status 403',
    { title: '403 Forbidden – HTTP', text: 'The status means that the server understood. '.repeat(60) },
  ],
  ['a long page with a login in its corner', { text: article, hasPasswordField: true }],
  [
    'a short page about scripts',
    { title: 'Demo', text: 'This demo is written in JavaScript. It draws a tree. '.repeat(3) },
  ],
])('takes %s for a page', (_name, given) => {
  expect(blockedReason(page(given))).toBeUndefined()
})
