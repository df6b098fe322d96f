// libcurl: HTTP.
#pragma once
#include <curl/curl.h>
#include <curl/multi.h>
